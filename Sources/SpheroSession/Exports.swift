// The values that a session speaks in come with it: requests, samples, errors, notices, settings.

@_exported public import SpheroHost
