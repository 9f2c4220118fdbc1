import Calls
import HTTPTypes
import WireFormats

/// The parameters of CreateSession: those of the query, and those of the document in the body.
/// (IAM Roles Anywhere User Guide, "IAM Roles Anywhere CreateSession API".)
struct SessionOrder {
    let profileARN: String
    let roleARN: String
    let trustAnchorARN: String
    /// The requested lifetime in seconds.
    var duration: Int?
    /// The requested name of the session.
    var sessionName: String?

    private static let ofQuery = ["profileArn", "roleArn", "trustAnchorArn"]
    private static let ofBody = ofQuery + ["durationSeconds", "roleSessionName", "instanceProperties"]
    /// The lifetimes that can be requested, in seconds.
    private static let durations: ClosedRange<Int64> = 900...43_200

    init(_ call: Call, _ body: [UInt8]) throws(DoorFailure) {
        guard let query = call.queryFields else { throw Self.invalid("The query is malformed.") }
        var document: JSONObject = [:]
        if !body.isEmpty {
            guard let object = (try? JSONValue(parsing: body))?.objectValue else {
                throw DoorFailure("SerializationException", .badRequest, "The body must be a JSON object.")
            }
            document = object
        }
        try Self.refuseUnknown(query.fields.map(\.name), Self.ofQuery)
        try Self.refuseUnknown(document.names, Self.ofBody)
        func arn(_ name: String) throws(DoorFailure) -> String {
            var value = query.first(name)
            if value == nil { value = try Self.text(name, of: document) }
            guard let value, !value.isEmpty else { throw Self.invalid("\(name) is required.") }
            return value
        }
        (profileARN, roleARN, trustAnchorARN) = (try arn("profileArn"), try arn("roleArn"), try arn("trustAnchorArn"))
        if let value = document["durationSeconds"], value != .null {
            guard let seconds = value.integerValue, Self.durations.contains(seconds) else {
                throw Self.invalid("durationSeconds must be an integer from 900 to 43200.")
            }
            duration = Int(seconds)
        }
        if let name = try Self.text("roleSessionName", of: document) {
            guard Self.isSessionName(name) else {
                throw Self.invalid("roleSessionName must have 2 to 64 letters, digits and characters of _+=,.@-.")
            }
            sessionName = name
        }
        // They are only shown with the subject, which is not kept.
        if let properties = document["instanceProperties"], properties != .null {
            guard let members = properties.objectValue?.members, members.allSatisfy({ $0.value.stringValue != nil }) else {
                throw Self.invalid("instanceProperties must be an object with strings.")
            }
        }
    }

    static func invalid(_ message: String) -> DoorFailure { DoorFailure("ValidationException", .badRequest, message) }

    private static func text(_ name: String, of document: JSONObject) throws(DoorFailure) -> String? {
        guard let value = document[name], value != .null else { return nil }
        guard let text = value.stringValue else { throw invalid("\(name) must be a string.") }
        return text
    }

    private static func refuseUnknown(_ names: [String], _ known: [String]) throws(DoorFailure) {
        if let name = names.first(where: { name in !known.contains { $0 == name } }) {
            throw invalid("Virga does not know the parameter \(name).")
        }
    }

    /// (STS API Reference, "AssumeRole", `RoleSessionName`.)
    private static func isSessionName(_ name: String) -> Bool {
        (2...64).contains(name.utf8.count)
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "_+=,.@-".utf8.contains(byte)
                }
            }
    }
}
