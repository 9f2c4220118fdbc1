import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

extension TrustPolicy {
    /// Parses a trust policy and binds its users and roles to the principals that have those names now.
    ///
    /// Principals of accounts that the sandbox does not have are accepted without a check.
    /// - Throws: `MalformedPolicyDocument`, or `LimitExceeded` for a text that is too long.
    init(saving text: String, in directory: Directory, _ dialect: Dialect) throws(ServiceError) {
        var document = try PolicyDocument.written(text, as: .trust, in: dialect)
        guard text.countedSize <= 2048 else { throw .limitExceeded("Cannot exceed quota for ACLSizePerRole: 2048") }
        var saved = text
        let bound = BoundPrincipals(of: document, in: directory).ids
        do throws(PolicySyntaxError) {
            if dialect == .aws { try document.checkNames() }
            try document.checkSharedProviders()
            for name in document.principalNames where bound[name] == nil && !Self.isElsewhere(name, directory) {
                throw PolicySyntaxError.unknownPrincipal(name)
            }
            if dialect == .aws, let normalized = document.withAccountARNs() {
                document = try PolicyDocument(json: normalized, kind: .trust)
                saved = normalized.serialized()
            }
        } catch {
            throw ServiceError(error)
        }
        self.init(document: document, text: saved, bound: bound)
    }

    /// Returns whether an ARN belongs to an account that the sandbox does not have.
    private static func isElsewhere(_ arn: String, _ directory: Directory) -> Bool {
        let fields = arn.split(separator: ":", omittingEmptySubsequences: false)
        return fields.count >= 6 && directory.accounts[String(fields[4])] == nil
    }

    /// Returns the text to display: as it was saved, except for the names of principals that were deleted or renamed.
    /// (IAM User Guide, "AWS JSON policy elements: Principal", "IAM user principals".)
    func shownText(in directory: Directory) -> String {
        if let shown = BoundPrincipals(ids: bound).shown(document.json, in: directory) { return shown.serialized() }
        return text ?? document.json.serialized()
    }
}
