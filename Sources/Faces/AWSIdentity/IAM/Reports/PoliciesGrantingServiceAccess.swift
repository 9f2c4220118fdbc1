import Cloud
import Directory
import Federation
import Policy
import WireFormats

extension IAMFace {
    /// ListPoliciesGrantingServiceAccess. Returns, for each service, the policies that allow a user, group or role anything in it.
    static func listPoliciesGrantingServiceAccess(_ call: inout IAMCall) async throws -> QueryService.Result? {
        let arn = call.parameters.requiredText("Arn", length: 20...2048)
        let services = call.parameters.list("ServiceNamespaces", most: 200, length: 1...64, pattern: .serviceNamespace)
        // All policies fit in one answer, so that no marker is ever issued.
        let marker = call.parameters.text("Marker", length: 1...320)
        try call.parameters.check()
        guard marker == nil else { throw ServiceError.validation("Invalid Marker.") }
        let directory = call.directory
        var grants: [ServiceGrant] = []
        if let user = directory.user(arn: arn)?.user, user.account == call.account {
            grants = ServiceGrant.of(user, "USER", directory)
            for group in user.groups.compactMap({ directory.group($0, in: user.account) }) {
                grants += ServiceGrant.of(group, "GROUP", directory)
            }
        } else if let role = directory.role(arn: arn)?.role, role.account == call.account {
            grants = ServiceGrant.of(role, "ROLE", directory)
        } else if let group = directory.groups.values.first(where: { $0.arn == arn }), group.account == call.account {
            grants = ServiceGrant.of(group, "GROUP", directory)
        } else {
            try call.authorize(on: arn)
            throw ServiceError.noSuchEntity("ARN \(arn) cannot be found.")
        }
        try call.authorize(on: arn)
        return { [grants] xml in
            xml.element("PoliciesGrantingServiceAccess") { xml in
                for service in services {
                    xml.element("member") { xml in
                        xml.element("ServiceNamespace", service)
                        xml.element("Policies") { xml in
                            for grant in grants where grant.document.allowsSomething(in: service) {
                                xml.element("member") { grant.encode(into: &$0) }
                            }
                        }
                    }
                }
            }
            xml.element("IsTruncated", false)
        }
    }
}

/// A policy of a user, group or role. (IAM API Reference, "PolicyGrantingServiceAccess".)
private struct ServiceGrant {
    var name: String
    var document: PolicyDocument
    /// The ARN of a managed policy.
    var arn: String?
    /// The holder of an inline policy.
    var holder: (kind: String, name: String)?

    static func of(_ holder: some PolicyHolder, _ kind: String, _ directory: Directory) -> [ServiceGrant] {
        holder.policies.map { ServiceGrant(name: $0.name, document: $0.document, holder: (kind, holder.name)) }
            + holder.attachedPolicies.compactMap(directory.policy(arn:)).compactMap { policy in
                policy.document.map { ServiceGrant(name: policy.name, document: $0, arn: policy.arn) }
            }
    }

    func encode(into xml: inout XMLWriter) {
        xml.element("PolicyName", name)
        xml.element("PolicyType", arn == nil ? "INLINE" : "MANAGED")
        if let arn { xml.element("PolicyArn", arn) }
        if let holder {
            xml.element("EntityType", holder.kind)
            xml.element("EntityName", holder.name)
        }
    }
}

extension QueryParameters.Pattern {
    fileprivate static let serviceNamespace = Self(text: "[\\w-]*") { word.accepts($0) || $0 == "-" }
}
