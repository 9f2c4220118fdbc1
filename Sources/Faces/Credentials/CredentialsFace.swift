package import Calls
import Cloud
import Directory
package import Federation
package import HTTPTypes
import WireFormats

/// The doors at which SDKs find credentials without keys: the metadata service of EC2, the credentials endpoint of ECS, and the agent of EKS
/// Pod Identity, which issue sessions of roles whose trust policies name their service, the endpoints for ID tokens of jobs,
/// IAM Roles Anywhere, which issues sessions for certificates, AWS Sign-In, which issues those of `aws login`, and the services of IAM
/// Identity Center. Each serves what the seed describes.
package struct CredentialsFace: Sendable {
    /// The path of the federation endpoint of the AWS console, which a bucket can have, too.
    package static let pathOfConsoleLinks = "/federation"

    private let authenticator: Authenticator

    package init(authenticator: Authenticator) {
        self.authenticator = authenticator
    }

    /// Returns whether an unsigned request is for the metadata service, if there is an instance.
    package static func isForInstance(_ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields) -> Bool {
        MetadataPath(path)?.isForInstance(method, headers) ?? false
    }

    /// Returns the bucket for which a request could be meant that has a path of amazon-ecs-local-container-endpoints; `nil` for another path.
    package static func bucketWithPathOfTask(_ method: HTTPRequest.Method, _ path: String) -> String? {
        method == .get || method == .head ? ContainerDoor.bucket(withPath: path) : nil
    }

    /// Responds to one request, also with error responses.
    package func respond(to call: Call) async -> Response {
        let request = CredentialCall(http: call, sessions: authenticator.sessions)
        if call.path == Self.pathOfConsoleLinks { return await ConsoleLink(authenticator: authenticator).respond(to: request) }
        if SignInDoor.isFor(call) { return await request.respond(at: SignInDoor()) }
        if RolesAnywhereDoor.isFor(call) { return await request.respond(at: RolesAnywhereDoor()) }
        if let response = await CenterDoors.respond(to: request) { return response }
        if let path = MetadataPath(call.path) { return await request.respond(at: InstanceMetadataDoor(path: path)) }
        if let door = ContainerDoor(call.path) { return await request.respond(at: door) }
        if let door = TaskMetadataDoor(call.path) { return await request.respond(at: door) }
        if let door = JobDoor(call.path) { return await request.respond(at: door) }
        if call.path.hasPrefix(CredentialSources.pathOfJobs) {
            call.note(face: CredentialSources.Kind.job.rawValue)
            return .json(["message": "There is no such path."], status: .notFound)
        }
        if call.path == CredentialSources.pathOfPods { return await request.respond(at: PodIdentityDoor()) }
        return await request.respond(at: EKSAuthDoor(call.path, authenticator: authenticator))
    }
}

/// One of the doors.
protocol CredentialDoor: Sendable {
    /// The kind of the door.
    var kind: CredentialSources.Kind { get }
    /// The name of the service in the journal and in rules for errors; that of the kind by default.
    var service: String { get }
    /// The operation of a request.
    func operation(of call: CredentialCall) -> String
    /// Responds to a request.
    /// - Throws: ``DoorFailure``, or an unexpected error.
    func respond(to call: CredentialCall) async throws -> Response
    /// Returns the response to a failed request in the format of the real service.
    func response(to failure: DoorFailure, of call: CredentialCall) -> Response
}

extension CredentialDoor {
    var service: String { kind.service }
}

/// An error of a door.
struct DoorFailure: Error {
    var code: String
    var status: HTTPResponse.Status
    var message: String
    /// What the client does not learn, for the journal.
    var cause: String?

    init(_ code: String, _ status: HTTPResponse.Status, _ message: String, cause: String? = nil) {
        self.code = code
        self.status = status
        self.message = message
        self.cause = cause
    }
}

/// One request at a door.
struct CredentialCall: Sendable {
    let http: Call
    let sessions: SessionTokens

    var cloud: Cloud { http.cloud }
    var directory: Directory { http.cloud.directory }

    func respond(at door: some CredentialDoor) async -> Response {
        http.note(face: door.service)
        http.note(operation: door.operation(of: self))
        let failure: DoorFailure
        do {
            return try await door.respond(to: self)
        } catch let known as DoorFailure {
            failure = known
        } catch is BodyTooLarge {
            failure = DoorFailure("RequestEntityTooLarge", .contentTooLarge, "The body is too large.")
        } catch is ContentCutOff {
            failure = DoorFailure("BadRequest", .badRequest, "The body ends early.")
        } catch let fault as InjectedFault {
            let entry = fault.entry(in: .query)
            failure = DoorFailure(fault.failure.code, entry.status, entry.message)
        } catch {
            http.note(failure: error)
            failure = DoorFailure("InternalServerError", .internalServerError, "Internal server error")
        }
        http.note(errorCode: failure.code, message: failure.message)
        if let cause = failure.cause { http.note(cause: cause) }
        return door.response(to: failure, of: self)
    }

    /// Rejects pages of browsers, and requests for a name that is not one of this process: a page can bind any name to this machine's address.
    func refusePages() throws(DoorFailure) {
        guard http.source == .program else {
            throw DoorFailure("AccessDenied", .forbidden, "Browsers get no credentials.")
        }
        guard http.isAtKnownHost else {
            throw DoorFailure(
                "AccessDenied", .forbidden, "\(http.host) is not a name of this server. Start virga with --alias \(http.host).")
        }
    }

    /// Rejects clients that are not on this machine.
    /// - Parameter remedy: what the seed has to set to admit them.
    func refuseOtherMachines(remedy: String) throws(DoorFailure) {
        guard !http.isFromThisMachine else { return }
        throw DoorFailure("AccessDenied", .forbidden, "Only clients of this machine get these credentials. In the seed, set \(remedy).")
    }

    /// Applies errors on demand, before the request has any effect.
    /// - Parameter resources: the ARNs of what the request concerns.
    /// - Throws: `InjectedFault`.
    func applyFaults(at door: some CredentialDoor, caller: String? = nil, resources: [String] = []) async throws {
        if let caller { http.note(caller: caller) }
        guard cloud.faults.isArmed else { return }
        try await http.applyFaults(
            FaultableCall(
                service: door.service, action: door.operation(of: self), caller: caller, resources: resources + [http.path]))
    }
}

/// The credentials that a door has issued.
struct IssuedCredentials {
    let role: String
    let credentials: SessionCredentials
    let token: String

    init(_ role: String, _ issued: (credentials: SessionCredentials, token: String)) {
        (self.role, credentials, token) = (role, issued.credentials, issued.token)
    }

    /// The members that every door returns.
    var members: [(String, JSONValue)] {
        [
            ("AccessKeyId", .string(credentials.accessKeyID)), ("SecretAccessKey", .string(credentials.secretAccessKey)),
            ("Token", .string(token)), ("Expiration", .string(credentials.expires.iso8601)),
        ]
    }
}
