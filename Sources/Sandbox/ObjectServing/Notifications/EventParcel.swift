package import Calls
import WireFormats

/// A message to be delivered to one destination.
package struct EventParcel: Hashable, Sendable {
    /// A header field.
    package struct Field: Hashable, Sendable {
        /// The name.
        package var name: String
        /// The value.
        package var value: String
    }

    /// The URL to post to, or the ARN of a destination that another server has.
    package var url: String
    /// The header fields.
    package var fields: [Field]
    /// The body.
    package var body: [UInt8]
    /// The trace of the request that caused the event.
    package var context = Trace.current
    /// The bucket, for a destination that another server has; `nil` for one with a URL.
    package var source: EventSource?

    /// Creates a message.
    /// - Parameters:
    ///   - message: the message of S3, which is wrapped in a notification for a topic.
    ///   - trace: the `X-Amzn-Trace-Id` of the request that caused the event.
    init(_ message: JSONValue, to arn: String, isTopic: Bool, at time: Timestamp, url: String, trace: String? = nil) {
        self.url = url
        defer { if let trace { fields.append(Field(name: "X-Amzn-Trace-Id", value: trace)) } }
        guard isTopic else {
            fields = [Field(name: "Content-Type", value: "application/json")]
            body = message.serializedBytes()
            return
        }
        // The HTTP notification of a topic, without the signature of SNS, which cannot be created here.
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

    /// Creates a message to a queue or topic that another server has. It is not wrapped: the service does that.
    init(_ message: JSONValue, to arn: String, from source: EventSource) {
        url = arn
        fields = []
        body = message.serializedBytes()
        self.source = source
    }
}
