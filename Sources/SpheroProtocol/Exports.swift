// Values of fields and their quantities belong to the interface of a message.

@_exported public import SpheroText
