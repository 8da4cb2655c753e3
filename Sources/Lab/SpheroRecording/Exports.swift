// The capture format comes with the lines that are recorded in it.

@_exported public import SpheroCapture
