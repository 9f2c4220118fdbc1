import Calls
import WireFormats

/// One message on its way to one destination.
package struct EventParcel: Hashable, Sendable {
    /// A header field.
    package struct Field: Hashable, Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: String
    }

    /// Where to post it.
    package var url: String
    /// The header fields.
    package var fields: [Field]
    /// The content.
    package var body: [UInt8]

    /// - Parameters:
    ///   - message: as S3 makes it; a topic wraps it into its own.
    ///   - trace: `X-Amzn-Trace-Id` of the request that caused the event.
    init(_ message: JSONValue, to arn: String, isTopic: Bool, at time: Timestamp, url: String, trace: String? = nil) {
        self.url = url
        defer { if let trace { fields.append(Field(name: "X-Amzn-Trace-Id", value: trace)) } }
        guard isTopic else {
            fields = [Field(name: "Content-Type", value: "application/json")]
            body = message.serializedBytes()
            return
        }
        // What a topic's subscribers get over HTTP, without the signature of SNS, which nobody here could make.
        // (Amazon SNS Developer Guide, "Parsing Amazon SNS message formats", "HTTP/HTTPS notification JSON format".)
        let id = RequestID().uuid
        let envelope: JSONValue = [
            "Type": "Notification", "MessageId": .string(id), "TopicArn": .string(arn), "Subject": "Amazon S3 Notification",
            "Message": .string(message.serialized()), "Timestamp": .string(time.iso8601Milliseconds),
        ]
        fields = [
            Field(name: "Content-Type", value: "text/plain; charset=UTF-8"),
            Field(name: "x-amz-sns-message-type", value: "Notification"), Field(name: "x-amz-sns-message-id", value: id),
            Field(name: "x-amz-sns-topic-arn", value: arn),
        ]
        body = envelope.serializedBytes()
    }
}
