import Federation
import WireFormats

/// The URLs of queues in responses of SQS.
///
/// An upstream that does not use the client's `Host` names queues by URLs of its own, and SDKs send the next call there: past this server.
/// So these URLs get the origin that the client used.
package enum QueueURLs {
    /// The operations whose responses have URLs of queues.
    package static let operations = ["CreateQueue", "GetQueueUrl", "ListDeadLetterSourceQueues", "ListQueues"]

    /// Returns a response in JSON whose URLs lead to an origin. A body without other URLs is returned as it is.
    /// - Parameter origin: such as `http://localhost:4566`.
    package static func redirected(json body: [UInt8], to origin: String) -> [UInt8] {
        guard let document = try? JSONValue(parsing: body), var members = document.objectValue else { return body }
        if let url = members["QueueUrl"]?.stringValue { members["QueueUrl"] = .string(redirected(url, to: origin)) }
        for name in ["QueueUrls", "queueUrls"] {
            guard let urls = members[name]?.arrayValue else { continue }
            members[name] = .array(
                urls.map { url in
                    guard let text = url.stringValue else { return url }
                    return JSONValue.string(redirected(text, to: origin))
                })
        }
        let changed = JSONValue.object(members)
        return changed == document ? body : changed.serializedBytes()
    }

    /// Returns a response of the Query protocol whose URLs lead to an origin.
    package static func redirected(xml body: [UInt8], to origin: String) -> [UInt8] {
        var (rest, result) = (String(decoding: body, as: UTF8.self)[...], "")
        let (start, end) = ("<QueueUrl>", "</QueueUrl>")
        while let opening = rest.firstRange(of: start), let closing = rest[opening.upperBound...].firstRange(of: end) {
            result += rest[..<opening.upperBound]
            result += redirected(String(rest[opening.upperBound..<closing.lowerBound]), to: origin)
            result += end
            rest = rest[closing.upperBound...]
        }
        if result.isEmpty { return body }
        result += rest
        return Array(result.utf8)
    }

    /// Returns a URL with another origin: the last two segments of the path, which are account and name, stay.
    private static func redirected(_ url: String, to origin: String) -> String {
        let segments = url.split(separator: "/")
        guard Origin(url: url) != nil, segments.count > 3 else { return url }
        return "\(origin)/\(segments[segments.count - 2])/\(segments[segments.count - 1])"
    }
}
