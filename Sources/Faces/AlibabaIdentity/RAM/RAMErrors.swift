import HTTPTypes
import Policy

// The errors of RAM, in its words. (RAM API Reference, "Error messages".)
extension RPCError {
    static func tooLong(_ parameter: String) -> RPCError {
        RPCError("InvalidParameter.\(parameter).Length", .badRequest, "The parameter - \"\(parameter)\" beyond the length limit.")
    }

    static func invalidCharacters(_ parameter: String) -> RPCError {
        RPCError("InvalidParameter.\(parameter).InvalidChars", .badRequest, "The parameter - \"\(parameter)\" contains invalid chars.")
    }

    static func wrongFormat(_ parameter: String) -> RPCError {
        RPCError("InvalidParameter.\(parameter).Format", .badRequest, "The format of the parameter - \"\(parameter)\" is incorrect.")
    }

    static func incorrect(_ parameter: String) -> RPCError {
        RPCError("InvalidParameter.\(parameter)", .badRequest, "The parameter - \"\(parameter)\" is incorrect.")
    }

    /// The message includes the position of the error, in Virga's own words.
    static func malformedPolicy(_ error: PolicySyntaxError) -> RPCError {
        RPCError("MalformedPolicyDocument", .badRequest, "\(error)")
    }

    /// - Parameters:
    ///   - entity: the entity as in error codes, such as `User.AccessKey`.
    ///   - what: the entity as in messages.
    static func notExist(_ entity: String, _ what: String) -> RPCError {
        RPCError("EntityNotExist.\(entity)", .notFound, "The \(what) does not exist.")
    }

    static func alreadyExists(_ entity: String, _ what: String) -> RPCError {
        RPCError("EntityAlreadyExists.\(entity)", .conflict, "The \(what) does already EXIST.")
    }

    static func deleteConflict(_ conflict: String, _ message: String) -> RPCError {
        RPCError("DeleteConflict.\(conflict)", .conflict, message)
    }

    static func limitExceeded(_ entity: String, _ what: String) -> RPCError {
        RPCError("LimitExceeded.\(entity)", .conflict, "The \(what) beyond the current limits.")
    }
}
