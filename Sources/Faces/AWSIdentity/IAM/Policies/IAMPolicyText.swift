import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension ServiceError {
    /// Translates the error for a text that is not a policy.
    init(_ error: PolicySyntaxError) {
        self.init("MalformedPolicyDocument", .badRequest, error.message)
    }
}

extension PolicyDocument {
    /// Parses a policy from its text.
    /// - Throws: `MalformedPolicyDocument`.
    static func written(_ text: String, as kind: Kind, in dialect: Dialect = .aws) throws(ServiceError) -> PolicyDocument {
        do {
            let document = try PolicyDocument.storing(text, as: kind, dialect: dialect.ofPolicies)
            try document.checkPartitions()
            return document
        } catch {
            throw ServiceError(error)
        }
    }

    /// Parses a managed policy from its text. Only version 2012-10-17 is allowed.
    static func managed(_ text: String) throws(ServiceError) -> PolicyDocument {
        let tooOld = ServiceError("MalformedPolicyDocument", .badRequest, "Policy document must be version 2012-10-17 or greater.")
        let document: PolicyDocument
        do {
            document = try .storing(text, as: .identity)
            try document.checkPartitions()
        } catch {
            // Structural errors are found before the version is checked, all others afterwards (observed of AWS).
            let version = (try? JSONValue(parsing: text))?.objectValue?["Version"]?.stringValue
            throw error.isOfShape || version == PolicyDocument.Version.y2012.rawValue ? ServiceError(error) : tooOld
        }
        guard document.version == .y2012 else { throw tooOld }
        // (IAM User Guide, "IAM and AWS STS character limits".)
        guard text.countedSize <= 6144 else { throw .limitExceeded("Cannot exceed quota for PolicySize: 6144") }
        return document
    }
}
