import WireFormats

/// Whom a bucket tells what happens in it. (S3 API Reference, "NotificationConfiguration".)
struct NotificationConfiguration: Hashable, Sendable {
    /// In the client's order within each kind.
    var destinations: [EventDestination] = []
    /// `EventBridgeConfiguration`: everything goes to the account's event bus as well.
    var usesEventBridge = false
}

/// A topic, queue or function, and what it is told of.
struct EventDestination: Hashable, Sendable {
    enum Kind: String, Hashable, Sendable, CaseIterable {
        case topic = "Topic"
        case queue = "Queue"
        case function = "CloudFunction"

        /// The element that holds a configuration of the kind.
        var element: String { rawValue + "Configuration" }

        /// The service in the ARN.
        var service: String {
            switch self {
            case .topic: "sns"
            case .queue: "sqs"
            case .function: "lambda"
            }
        }
    }

    /// One `FilterRule`.
    struct KeyRule: Hashable, Sendable {
        var isPrefix: Bool
        var value: String
    }

    var kind: Kind
    var id: String
    var arn: String
    var events: [EventPattern]
    /// At most one for the beginning of the key and one for its end.
    var keyRules: [KeyRule] = []

    var prefix: String { keyRules.first(where: \.isPrefix)?.value ?? "" }
    var suffix: String { keyRules.first { !$0.isPrefix }?.value ?? "" }

    func wants(_ name: EventName, of key: String) -> Bool {
        events.contains { $0.matches(name) } && key.utf8.starts(with: prefix.utf8)
            && key.utf8.reversed().starts(with: suffix.utf8.reversed())
    }

    /// Whether one object's event could go to both.
    func overlaps(_ other: EventDestination) -> Bool {
        (prefix.hasPrefix(other.prefix) || other.prefix.hasPrefix(prefix))
            && (suffix.hasSuffix(other.suffix) || other.suffix.hasSuffix(suffix))
            && events.contains { event in other.events.contains(where: event.overlaps) }
    }
}

extension NotificationConfiguration {
    static let root = "NotificationConfiguration"

    func encode(into xml: inout XMLWriter) {
        for kind in EventDestination.Kind.allCases {
            for destination in destinations where destination.kind == kind { destination.encode(into: &xml) }
        }
        if usesEventBridge { xml.element("EventBridgeConfiguration") { _ in } }
    }
}

extension EventDestination {
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
