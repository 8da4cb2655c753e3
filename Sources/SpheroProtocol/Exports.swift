// The public interface of messages uses types of SpheroText, such as `FieldValue` and `Quantity`.

@_exported public import SpheroText
