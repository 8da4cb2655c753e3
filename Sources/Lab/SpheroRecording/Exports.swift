// Exports the capture format, in which lines are recorded.

@_exported public import SpheroCapture
