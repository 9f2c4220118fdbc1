import WireFormats

extension PolicyDocument {
    /// Parses the text of a policy that is stored in IAM, whose form matters more than that of JSON.
    ///
    /// - A text must begin with `{`: hashicorp/terraform-provider-aws#1873 and velero-io/velero#1494 for policies of identities,
    ///   hashicorp/terraform-provider-aws#12267 for trust policies.
    /// - In a policy of an identity, a statement that is not in a list follows the version: 99designs/iamy#65,
    ///   hashicorp/terraform-provider-aws#22879.
    ///
    /// Errors in the structure of the document are reported before these, all others after them. RADOS Gateway has no such rules.
    ///
    /// A policy of an identity also names the service of each resource. (IAM User Guide, "IAM JSON policy elements: Resource"; refused with
    /// this message in david-cui-bruno/founding-sales and DustyStudy/fedramp-terraform-library, 2026. The simulator accepts it.)
    package static func storing(
        _ text: String, as kind: Kind, dialect: PolicyDialect = .aws
    ) throws(PolicySyntaxError) -> PolicyDocument {
        let fault = dialect == .aws ? faultOfForm(text, kind) : nil
        let document: PolicyDocument
        do {
            document = try PolicyDocument(parsing: text, kind: kind, dialect: dialect)
        } catch {
            guard let fault, !error.isOfShape, error.message != PolicySyntaxError.invalidJSON else { throw error }
            throw fault
        }
        if let fault { throw fault }
        if kind == .identity, dialect == .aws, let fault = faultOfService(document) { throw fault }
        return document
    }

    private static func faultOfService(_ document: PolicyDocument) -> PolicySyntaxError? {
        for (index, statement) in document.statementsAsWritten.enumerated() {
            for name in ["Resource", "NotResource"] {
                guard let resource = texts(statement[name]).first(where: namesAnyService) else { continue }
                return PolicySyntaxError(
                    PolicyParser.unqualifiedVendor, at: "Statement[\(index)].\(name)", "\"\(resource)\" does not name a service.")
            }
        }
        return nil
    }

    /// Returns whether a resource has all fields of an ARN, and a wildcard for the service.
    private static func namesAnyService(_ resource: String) -> Bool {
        let fields = resource.split(separator: ":", maxSplits: 5, omittingEmptySubsequences: false)
        return fields.count == 6 && fields[2] == "*"
    }

    private static func faultOfForm(_ text: String, _ kind: Kind) -> PolicySyntaxError? {
        let isIndented = text.utf8.first.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? false
        switch kind {
        case .identity where isIndented: return PolicySyntaxError(PolicySyntaxError.legacyParsing, "The document must begin with {.")
        case .identity where isStatementBeforeVersion(text):
            return PolicySyntaxError(
                PolicySyntaxError.legacyParsing, at: "Version", "A Statement that is not in a list must follow the Version.")
        case .trust where isIndented: return PolicySyntaxError(PolicySyntaxError.leadingSpaces, "The document must begin with {.")
        case .identity, .trust, .resource: return nil
        }
    }

    private static func isStatementBeforeVersion(_ text: String) -> Bool {
        guard let members = (try? JSONValue(parsing: text))?.objectValue, members["Statement"]?.objectValue != nil,
            let statement = members.names.firstIndex(of: "Statement"), let version = members.names.firstIndex(of: "Version")
        else { return false }
        return statement < version
    }
}
