import Calls
import Cloud
import ObjectServing
import WireFormats

extension NotificationConfiguration {
    private static let mostDestinations = 100

    /// The elements of the document. (S3 API Reference, PutBucketNotificationConfiguration.)
    static let schema: [DocumentSchema.Member] =
        EventDestination.Kind.allCases.map { DocumentSchema.Member($0.element, .members(EventDestination.schema(of: $0)), .any) }
        + [DocumentSchema.Member("EventBridgeConfiguration", .members([]), .optional)]

    /// Reads a document that conforms to the schema.
    /// - Parameter makeID: generates the identifier of a configuration that has none.
    /// - Throws: `MalformedXML`, `InvalidArgument`.
    init(_ element: XMLElement, makeID: () -> String = { RequestID().uuid }) throws(S3Error) {
        self.init()
        usesEventBridge = try element.optional("EventBridgeConfiguration") != nil
        for kind in EventDestination.Kind.allCases {
            for child in element.children where child.name == kind.element {
                destinations.append(try EventDestination(child, kind, makeID: makeID))
            }
        }
        guard destinations.count <= Self.mostDestinations else {
            throw S3Error(
                .invalidArgument,
                "The number of configurations exceeds the maximum of \(Self.mostDestinations) for a bucket's notifications")
        }
        try checkIDs()
        try checkOverlap()
    }

    private func checkIDs() throws(S3Error) {
        var known: Set<String> = []
        for destination in destinations where !known.insert(destination.id).inserted {
            throw .invalidArgument(
                "Same ID used for multiple configurations. IDs must be unique", name: "Id", value: destination.id)
        }
    }

    /// Rejects configurations for the same event with overlapping filters.
    ///
    /// (S3 User Guide, "Configuring event notifications using object key name filtering"; minio/minio#2472 for two without a filter.)
    private func checkOverlap() throws(S3Error) {
        for (index, destination) in destinations.enumerated() {
            for other in destinations[(index + 1)...] where destination.overlaps(other) {
                if destination.keyRules.isEmpty, other.keyRules.isEmpty { throw destination.sharedEvent(other) }
                throw S3Error(
                    .invalidArgument,
                    "Configuration is ambiguously defined. Cannot have overlapping suffixes in two rules if the prefixes are overlapping for the same event type."
                )
            }
        }
    }
}

extension EventDestination {
    fileprivate static func schema(of kind: Kind) -> [DocumentSchema.Member] {
        let rule: [DocumentSchema.Member] = [.init("Name", .text), .init("Value", .text)]
        let key: [DocumentSchema.Member] = [.init("FilterRule", .members(rule), .any)]
        return [
            .init("Id", .text, .optional), .init("Event", .text, .several), .init(kind.rawValue, .text),
            .init("Filter", .members([.init("S3Key", .members(key), .optional)]), .optional),
        ]
    }

    fileprivate init(_ element: XMLElement, _ kind: Kind, makeID: () -> String) throws(S3Error) {
        let given = try element.text(of: "Id") ?? ""
        guard given.count <= 255 else {
            throw .invalidArgument("ID length should not exceed allowed limit of 255", name: "Id", value: given)
        }
        let arn = try element.required(kind.rawValue).leafText().trimmed
        guard Self.isARN(arn, of: kind.service) else {
            throw .invalidArgument("The ARN could not be parsed", name: kind.rawValue, value: arn)
        }
        // S3 User Guide, "Event notification types and destinations"; the message is that of S3 as Terraform reports it.
        if kind == .queue, arn.utf8.reversed().starts(with: ".fifo".utf8.reversed()) {
            throw S3Error(.invalidArgument, "FIFO SQS queues are not supported.")
        }
        var events: [EventPattern] = []
        for text in try element.texts(of: "Event") {
            guard let event = EventPattern(text.trimmed) else {
                throw .invalidArgument("A specified event is not supported for notifications.", name: "Event", value: text)
            }
            events.append(event)
        }
        self.init(
            kind: kind, id: given.isEmpty ? makeID() : given, arn: arn, events: events, keyRules: try Self.keyRules(element))
    }

    /// The error for a configuration without a filter that shares an event with another.
    fileprivate func sharedEvent(_ other: EventDestination) -> S3Error {
        let pairs = events.flatMap { event in other.events.filter(event.overlaps).map { "\(event.text), \($0.text)" } }
        return .invalidArgument(
            "Configurations overlap. Configurations on the same bucket cannot share a common event type.", name: "Event",
            value: pairs.joined(separator: ", "))
    }

    private static func keyRules(_ element: XMLElement) throws(S3Error) -> [KeyRule] {
        var rules: [KeyRule] = []
        for rule in element.child("Filter")?.child("S3Key")?.children ?? [] {
            let read = try KeyRule(rule)
            guard !rules.contains(where: { $0.isPrefix == read.isPrefix }) else {
                let name = read.isPrefix ? "prefix" : "suffix"
                throw .invalidArgument(
                    "Cannot specify more than one \(name) rule in a filter.", name: "FilterRule.Name", value: name)
            }
            rules.append(read)
        }
        return rules
    }

    /// Whether the text has the form `arn:aws:sqs:us-east-1:000000000000:name`.
    private static func isARN(_ text: String, of service: String) -> Bool {
        let parts = text.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        return parts.count == 6 && parts[0] == "arn" && (parts[1] == "aws" || parts[1].hasPrefix("aws-")) && parts[2] == service
            && !parts[5].isEmpty
    }
}

extension EventDestination.KeyRule {
    private static let longestValue = 1024

    fileprivate init(_ element: XMLElement) throws(S3Error) {
        let name = try element.required("Name").leafText()
        let value = try element.required("Value").leafText()
        let isPrefix: Bool
        switch name.lowercased() {
        case "prefix": isPrefix = true
        case "suffix": isPrefix = false
        default:
            throw .invalidArgument("filter rule name must be either prefix or suffix", name: "FilterRule.Name", value: name)
        }
        guard value.utf8.count <= Self.longestValue else {
            throw .invalidArgument(
                "Size of filter rule value cannot exceed 1024 bytes in UTF-8 representation", name: "FilterRule.Value",
                value: value)
        }
        self.init(isPrefix: isPrefix, value: value)
    }
}
