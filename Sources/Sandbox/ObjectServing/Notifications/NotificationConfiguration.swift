import ObjectStore
package import WireFormats

/// The notification configuration of a bucket. (S3 API Reference, "NotificationConfiguration".)
package struct NotificationConfiguration: Hashable, Sendable {
    /// The destinations, in the client's order within each kind.
    package var destinations: [EventDestination] = []
    /// `EventBridgeConfiguration`: all events are also sent to the account's event bus.
    package var usesEventBridge = false

    package init() {}
}

/// A topic, queue or function, and the events that are sent to it.
package struct EventDestination: Hashable, Sendable {
    /// The kinds of destination.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case topic = "Topic"
        case queue = "Queue"
        case function = "CloudFunction"

        /// The element of a configuration of the kind.
        package var element: String { rawValue + "Configuration" }

        /// The service in the ARN.
        package var service: String {
            switch self {
            case .topic: "sns"
            case .queue: "sqs"
            case .function: "lambda"
            }
        }
    }

    /// A `FilterRule`.
    package struct KeyRule: Hashable, Sendable {
        /// Whether the rule is for a prefix, as opposed to a suffix.
        package var isPrefix: Bool
        /// The prefix or suffix.
        package var value: String

        package init(isPrefix: Bool, value: String) {
            self.isPrefix = isPrefix
            self.value = value
        }
    }

    /// The kind of destination.
    package var kind: Kind
    /// The identifier of the configuration.
    package var id: String
    /// The ARN of the queue, topic or function.
    package var arn: String
    /// The events that are sent.
    package var events: [EventPattern]
    /// The filter: at most one prefix and one suffix.
    package var keyRules: [KeyRule]

    package init(kind: Kind, id: String, arn: String, events: [EventPattern], keyRules: [KeyRule]) {
        self.kind = kind
        self.id = id
        self.arn = arn
        self.events = events
        self.keyRules = keyRules
    }

    private var prefix: String { keyRules.first(where: \.isPrefix)?.value ?? "" }
    private var suffix: String { keyRules.first { !$0.isPrefix }?.value ?? "" }

    /// Whether an event of a key matches the configuration.
    package func wants(_ name: EventName, of key: String) -> Bool {
        events.contains { $0.matches(name) } && key.utf8.starts(with: prefix.utf8)
            && key.utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// Whether the event of one object could match both configurations.
    package func overlaps(_ other: EventDestination) -> Bool {
        (prefix.hasPrefix(other.prefix) || other.prefix.hasPrefix(prefix))
            && (suffix.hasSuffix(other.suffix) || other.suffix.hasSuffix(suffix))
            && events.contains { event in other.events.contains(where: event.overlaps) }
    }
}

extension NotificationConfiguration {
    /// The name of the document's root element.
    package static let root = "NotificationConfiguration"

    /// Parses the document that ``encode(into:)`` writes.
    package init(stored element: XMLElement) {
        for kind in EventDestination.Kind.allCases {
            destinations += element.children(named: kind.element).map { EventDestination(stored: $0, kind) }
        }
        usesEventBridge = element.child("EventBridgeConfiguration") != nil
    }

    /// Writes the configuration as S3 returns it.
    package func encode(into xml: inout XMLWriter) {
        for kind in EventDestination.Kind.allCases {
            for destination in destinations where destination.kind == kind { destination.encode(into: &xml) }
        }
        if usesEventBridge { xml.element("EventBridgeConfiguration") { _ in } }
    }
}

extension EventDestination {
    fileprivate init(stored element: XMLElement, _ kind: Kind) {
        let rules = element.child("Filter")?.child("S3Key")?.children(named: "FilterRule") ?? []
        self.init(
            kind: kind, id: element.child("Id")?.text ?? "", arn: element.child(kind.rawValue)?.text ?? "",
            events: element.children(named: "Event").compactMap { EventPattern($0.text) },
            keyRules: rules.map { KeyRule(isPrefix: $0.child("Name")?.text == "Prefix", value: $0.child("Value")?.text ?? "") })
    }

    fileprivate func encode(into xml: inout XMLWriter) {
        xml.element(kind.element) { xml in
            xml.element("Id", id)
            xml.element(kind.rawValue, arn)
            for event in events { xml.element("Event", event.text) }
            guard !keyRules.isEmpty else { return }
            xml.element("Filter") { xml in
                xml.element("S3Key") { xml in
                    for rule in keyRules {
                        xml.element("FilterRule") { xml in
                            xml.element("Name", rule.isPrefix ? "Prefix" : "Suffix")
                            xml.element("Value", rule.value)
                        }
                    }
                }
            }
        }
    }
}

extension NotificationConfiguration {
    /// Parses the stored text; invalid text results in an empty configuration.
    package init(text: String) {
        guard let element = try? XMLElement(parsing: Array(text.utf8)) else {
            self.init()
            return
        }
        self.init(stored: element)
    }
}
