import Cloud
import WireFormats

/// The content and the recipients of a notification. (REST API for Oracle Mobile Cloud Service, "Create Notification".)
struct NotificationOrder {
    /// The JSON as it was received.
    let json: JSONObject
    let sendOn: Timestamp?
    private let users: Set<String>?
    private let tokens: Set<String>?
    private let platform: String?
    private let provider: String?

    private static let members: Set<String> = [
        "message", "template", "payload", "tag", "users", "notificationTokens", "platform", "provider", "sendOn",
    ]
    /// The most values that a list may have.
    private static let mostValues = 1000

    /// - Throws: ``MobileError`` that describes what is invalid.
    init(_ bytes: [UInt8]) throws(MobileError) {
        guard let json = (try? JSONValue(parsing: bytes))?.objectValue else {
            throw MobileError(.malformedRequest, "The body must be a JSON object.")
        }
        if let unknown = json.names.first(where: { !Self.members.contains($0) }) {
            throw MobileError(.malformedRequest, "A notification must not have the member \(unknown).")
        }
        guard ["message", "template", "payload"].contains(where: { json[$0] != nil }) else {
            throw MobileError(.malformedRequest, "A notification must have a message, a template or a payload.")
        }
        guard json["message"].map({ $0.stringValue?.isEmpty == false }) ?? true else {
            throw MobileError(.malformedRequest, "message is a text.")
        }
        for name in ["template", "payload"] where json[name] != nil && json[name]?.objectValue == nil {
            throw MobileError(.malformedRequest, "\(name) must be an object.")
        }
        guard json["tag"].map({ $0.stringValue != nil }) ?? true else { throw MobileError(.malformedRequest, "tag is a text.") }
        self.json = json
        users = try Self.texts(json, "users")
        tokens = try Self.texts(json, "notificationTokens")
        platform = try Self.one(of: MobileDevice.Platform.allCases.map(\.rawValue), json, "platform")
        provider = try Self.one(of: MobileDevice.Provider.allCases.map(\.rawValue), json, "provider")
        guard let sendOn = json["sendOn"] else {
            self.sendOn = nil
            return
        }
        guard let time = sendOn.stringValue.flatMap(Timestamp.init(minuteOrSecond:)) else {
            throw MobileError(.malformedRequest, "sendOn is a time in UTC such as 2026-11-21T08:00Z.")
        }
        self.sendOn = time
    }

    private static func texts(_ json: JSONObject, _ name: String) throws(MobileError) -> Set<String>? {
        guard let value = json[name] else { return nil }
        let texts = value.arrayValue?.compactMap(\.stringValue) ?? []
        guard (1...mostValues).contains(texts.count), texts.count == value.arrayValue?.count, Set(texts).count == texts.count else {
            throw MobileError(.malformedRequest, "\(name) must be an array of 1 to \(mostValues) different strings.")
        }
        return Set(texts)
    }

    private static func one(of known: [String], _ json: JSONObject, _ name: String) throws(MobileError) -> String? {
        guard let value = json[name] else { return nil }
        guard let text = value.stringValue, known.contains(text) else {
            throw MobileError(.malformedRequest, "\(name) must be one of \(known.joined(separator: ", ")).")
        }
        return text
    }

    /// Returns whether the notification is for a device.
    func matches(_ device: MobileDevice) -> Bool {
        users.map { device.user.map($0.contains) ?? false } ?? true && tokens?.contains(device.notificationToken) ?? true
            && platform ?? device.client.platform.rawValue == device.client.platform.rawValue
            && provider ?? device.provider.rawValue == device.provider.rawValue
    }
}

extension Timestamp {
    /// Parses `2026-11-21T08:00Z`, or the same with seconds.
    init?(minuteOrSecond text: String) {
        self.init(iso8601: text.utf8.count == 17 && text.hasSuffix("Z") ? "\(text.dropLast()):00Z" : text)
    }
}
