// The types of the session's interface: requests, samples, errors, notices, settings, motion.

@_exported public import SpheroHost
@_exported public import SpheroMotion
