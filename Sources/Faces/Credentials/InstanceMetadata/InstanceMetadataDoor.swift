import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import Policy
import WireFormats

/// The metadata service of EC2, in versions 1 and 2. (EC2 User Guide, "Access instance metadata for an EC2 instance" and "Instance metadata
/// categories".)
struct InstanceMetadataDoor: CredentialDoor {
    let path: MetadataPath
    let kind = CredentialSources.Kind.instance

    /// The principal of trust policies.
    private static let principal = "ec2.amazonaws.com"
    /// The lifetime of credentials in seconds.
    private static let duration = 6 * 3600
    private static let roles = "meta-data/iam/security-credentials"

    /// The name in the list of roles, which the path of credentials ends with; `nil` for another item.
    private var role: String? { path.item.hasPrefix(Self.roles + "/") ? String(path.item.dropFirst(Self.roles.count + 1)) : nil }

    func operation(of call: CredentialCall) -> String {
        switch path.item {
        case MetadataPath.token: "GetToken"
        case Self.roles: "GetInstanceRole"
        default: role == nil ? "GetMetadata" : "GetInstanceCredentials"
        }
    }

    func respond(to call: CredentialCall) async throws -> Response {
        let http = call.http
        guard let instance = call.directory.credentialSources.instance(ofClientAt: http.sourceIP) else {
            throw DoorFailure("NotFound", .notFound, "The seed has no instance.")
        }
        try call.refusePages()
        if path.item == MetadataPath.token, http.headers.has(.forwardedFor) {
            throw DoorFailure("Forbidden", .forbidden, "A proxy forwarded the request.")
        }
        if instance.hopLimit == 1 { try call.refuseOtherMachines(remedy: "hopLimit to 2") }
        guard path.item != MetadataPath.token else { return try await makeToken(for: instance, call) }
        let isVersion2 = try admit(call, to: instance)
        let profile = instance.profile.flatMap { call.directory.instanceProfile($0, in: instance.account) }
        let role = profile?.role.flatMap { call.directory.role($0, in: instance.account) }
        if let name = self.role, let role {
            guard name == role.role.name else { throw Self.absent }
            return try await credentials(of: role, for: instance, isVersion2: isVersion2, call)
        }
        try await call.applyFaults(at: self, resources: [instance.arn])
        if path.item == "dynamic/instance-identity/document" {
            return Self.response(MetadataTree.identityDocument(of: instance).serialized())
        }
        guard let text = MetadataTree(of: instance, profile: profile, role: role?.role.name, at: http.received)[path.item] else {
            throw Self.absent
        }
        return Self.response(text)
    }

    private static let absent = DoorFailure("NotFound", .notFound, "The instance has no such item.")

    /// `PUT /latest/api/token`.
    private func makeToken(for instance: ComputeInstance, _ call: CredentialCall) async throws -> Response {
        guard path.version == "latest" else { throw DoorFailure("Forbidden", .forbidden, "Tokens are at /latest/api/token.") }
        guard let text = call.http.headers.value(of: .metadataTokenLifetime), let lifetime = Int(digits: text),
            MetadataToken.lifetimes.contains(lifetime)
        else {
            throw DoorFailure(
                "BadRequest", .badRequest, "X-aws-ec2-metadata-token-ttl-seconds must be a number of seconds from 1 to 21600.")
        }
        try await call.applyFaults(at: self, resources: [instance.arn])
        var response = Self.response(try MetadataToken.make(for: instance.id, lifetime: lifetime, in: call.cloud))
        response.headers[.metadataTokenLifetime] = text
        return response
    }

    /// Checks the token of a request.
    /// - Returns: whether the request has one, which makes it a request of version 2.
    private func admit(_ call: CredentialCall, to instance: ComputeInstance) throws(DoorFailure) -> Bool {
        guard let token = call.http.headers.value(of: .metadataToken) else {
            guard instance.metadataTokens == .optional else {
                throw DoorFailure("Unauthorized", .unauthorized, "The instance requires a token of version 2.")
            }
            return false
        }
        guard MetadataToken.isValid(token, for: instance.id, in: call.cloud) else {
            throw DoorFailure("Unauthorized", .unauthorized, "The token is not valid, or has expired.")
        }
        return true
    }

    /// `…/security-credentials/ROLE`. A trust policy that does not name EC2 is reported with status 200.
    private func credentials(
        of role: RoleEntry, for instance: ComputeInstance, isVersion2: Bool, _ call: CredentialCall
    ) async throws -> Response {
        try await call.applyFaults(at: self, caller: Self.principal, resources: [role.arn, instance.arn])
        let time: (String, JSONValue) = ("LastUpdated", .string(call.http.received.iso8601))
        var assumption = RoleAssumption(of: role, named: instance.id)
        // (Service Authorization Reference, "Amazon EC2", condition keys; IAM User Guide, "AWS global condition context keys".)
        assumption.sessionKeys = [
            .init(key: "ec2:RoleDelivery", values: [isVersion2 ? "2.0" : "1.0"]),
            .init(key: "ec2:SourceInstanceARN", values: [instance.arn]),
            .init(key: "aws:Ec2InstanceSourceVpc", values: [instance.vpc]),
            .init(key: "aws:Ec2InstanceSourcePrivateIPv4", values: [instance.privateIP]),
        ]
        let service = ServiceCaller(principal: Self.principal, region: instance.region)
        guard call.http.authorize(assumption, by: service).isAllowed else {
            let code = "AssumeRoleUnauthorizedAccess"
            let message =
                "EC2 cannot assume the role \(role.role.name). Please see documentation at https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_iam-ec2.html#troubleshoot_iam-ec2_errors-info-doc."
            call.http.note(errorCode: code, message: message)
            let members: [(String, JSONValue)] = [("Code", .string(code)), ("Message", .string(message)), time]
            return Self.response(JSONValue.object(JSONObject(members)).serialized())
        }
        let issued = IssuedCredentials(role.arn, try call.sessions.session(by: assumption, duration: Self.duration))
        let members = [("Code", JSONValue.string("Success")), time, ("Type", JSONValue.string("AWS-HMAC"))] + issued.members
        return Self.response(JSONValue.object(JSONObject(members)).serialized())
    }

    private static func response(_ text: String) -> Response {
        var headers = HTTPFields.unstored
        headers[.server] = "EC2ws"
        return Response(status: .ok, contentType: "text/plain", headers: headers, text: text)
    }

    /// SDKs read only the status; the text is a page.
    func response(to failure: DoorFailure, of call: CredentialCall) -> Response {
        let title = "\(failure.status.code) - \(failure.status.reasonPhrase)"
        let text = """
            <?xml version="1.0" encoding="iso-8859-1"?>
            <!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
            \t"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
            <html xmlns="http://www.w3.org/1999/xhtml" xml:lang="en" lang="en">
             <head>
              <title>\(title)</title>
             </head>
             <body>
              <h1>\(title)</h1>
             </body>
            </html>

            """
        var headers = HTTPFields.unstored
        headers[.server] = "EC2ws"
        return Response(status: failure.status, contentType: "text/html", headers: headers, text: text)
    }
}
