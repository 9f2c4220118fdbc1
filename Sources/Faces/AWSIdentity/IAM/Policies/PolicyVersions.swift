import Cloud
import Directory
import HTTPTypes
import Policy
import WireFormats

extension IAMFace {
    /// Operations on versions of managed policies: at most five, one of which is the default. (IAM User Guide, "Versioning IAM policies".)
    static let policyVersions: [String: Operation] = [
        "CreatePolicyVersion": .init(createPolicyVersion), "GetPolicyVersion": .init(getPolicyVersion),
        "DeletePolicyVersion": .init(deletePolicyVersion),
        "ListPolicyVersions": .init(listPolicyVersions), "SetDefaultPolicyVersion": .init(setDefaultPolicyVersion),
    ]

    private static func createPolicyVersion(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = call.parameters.requiredText("PolicyArn", length: 20...2048)
        let text = call.parameters.requiredText("PolicyDocument", length: 1...131_072, pattern: .policyDocument)
        let becomesDefault = try call.parameters.flag("SetAsDefault") ?? false
        try call.parameters.check()
        try call.ownPolicy(arn)
        let document = try PolicyDocument.managed(text)
        let version = try await call.edit { [now = call.now] directory throws(DirectoryRefusal) in
            try directory.updatePolicy(arn) { policy throws(DirectoryRefusal) in
                try policy.addVersion(document, text: text, at: now, isDefault: becomesDefault)
            }
        }
        return { xml in
            xml.element("PolicyVersion") { version.encode(into: &$0, isDefault: becomesDefault, withDocument: false) }
        }
    }

    private static func getPolicyVersion(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let (arn, number) = try identifiers(&call)
        let policy = try call.policy(arn)
        guard let version = policy.versions.first(where: { $0.number == number }) else { throw missing(number, arn) }
        return { xml in
            xml.element("PolicyVersion") { xml in
                version.encode(into: &xml, isDefault: number == policy.defaultVersion, withDocument: true)
            }
        }
    }

    private static func deletePolicyVersion(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let (arn, number) = try identifiers(&call)
        try call.ownPolicy(arn)
        try await change(arn, &call, number) { policy, now throws(DirectoryRefusal) in try policy.deleteVersion(number, at: now) }
        return nil
    }

    /// ListPolicyVersions. The latest version comes first.
    private static func listPolicyVersions(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = call.parameters.requiredText("PolicyArn", length: 20...2048)
        let policy = try call.policy(arn)
        let page = try Page(of: policy.versions.reversed(), parameters: &call.parameters) { version in
            // Markers must ascend along the list, while the version numbers descend.
            String(1_000_000_000 - version.number)
        }
        return { xml in
            page.encode("Versions", into: &xml) { version, xml in
                version.encode(into: &xml, isDefault: version.number == policy.defaultVersion, withDocument: false)
            }
        }
    }

    private static func setDefaultPolicyVersion(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let (arn, number) = try identifiers(&call)
        try call.ownPolicy(arn)
        try await change(arn, &call, number) { policy, now throws(DirectoryRefusal) in try policy.setDefaultVersion(number, at: now) }
        return nil
    }

    private static func change(
        _ arn: String, _ call: inout IAMCall, _ number: Int,
        _ change: (inout ManagedPolicy, Timestamp) throws(DirectoryRefusal) -> Void
    ) async throws {
        try await call.cloud.edit { [now = call.now] directory in
            do throws(DirectoryRefusal) {
                try directory.updatePolicy(arn) { policy throws(DirectoryRefusal) in try change(&policy, now) }
            } catch {
                throw error == .noSuchVersion(number) ? missing(number, arn) : ServiceError(error, of: .user)
            }
        }
    }

    /// Reads `PolicyArn` and `VersionId`.
    private static func identifiers(_ call: inout IAMCall) throws(ServiceError) -> (arn: String, number: Int) {
        let arn = call.parameters.requiredText("PolicyArn", length: 20...2048)
        let version = call.parameters.requiredText("VersionId", length: 0...64, pattern: .policyVersion)
        try call.parameters.check()
        return (arn, Int(version.dropFirst()) ?? 0)
    }

    private static func missing(_ version: Int, _ arn: String) -> ServiceError {
        .noSuchEntity("Policy \(arn) version v\(version) does not exist or is not attachable.")
    }
}

extension QueryParameters.Pattern {
    /// `v1`, `v2`…
    fileprivate static let policyVersion = Self(text: "v[1-9][0-9]*(\\.[A-Za-z0-9-]*)?") {
        $0.isASCII
    } frame: { text in
        text.hasPrefix("v") && text.utf8.count > 1 && text.utf8.dropFirst().first != UInt8(ascii: "0")
            && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }
}

extension ManagedPolicy.Version {
    /// Writes the members of the shape `PolicyVersion`.
    func encode(into xml: inout XMLWriter, isDefault: Bool, withDocument: Bool) {
        if withDocument { xml.element("Document", percentEncoded(shownText)) }
        xml.element("VersionId", "v\(number)")
        xml.element("IsDefaultVersion", isDefault)
        xml.element("CreateDate", created.iso8601)
    }
}
