// The values that a session speaks in come with it: requests, samples, errors, notices, settings, motion.

@_exported public import SpheroHost
@_exported public import SpheroMotion
