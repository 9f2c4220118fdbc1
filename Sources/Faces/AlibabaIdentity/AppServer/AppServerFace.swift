package import Calls
import Cloud
package import Directory
package import Federation
import HTTPTypes
import WireFormats

/// The business server of an app, which issues temporary credentials to its users and signs for them, and the metadata of its machine.
/// (OSS documentation, "Authorize access by using temporary credentials provided by STS"; the demo server of the OSS SDKs for iOS and
/// Android; ECS User Guide, "Instance metadata" and "Instance RAM roles".)
package struct AppServerFace: Sendable {
    private let authenticator: Authenticator

    package init(authenticator: Authenticator) {
        self.authenticator = authenticator
    }

    /// Returns whether the seed's app server serves a path.
    package static func answers(_ path: String, in directory: Directory) -> Bool {
        guard let route = AppServerRoute(path), let server = directory.appServer else { return false }
        return route.isOpen(at: server)
    }

    /// Responds to one request, also with error responses.
    package func respond(to call: Call) async -> Response {
        call.note(face: "appserver")
        guard let server = call.cloud.directory.appServer, let route = AppServerRoute(call.path), route.isOpen(at: server) else {
            call.note(errorCode: "NotFound")
            return Response(status: .notFound)
        }
        let call = AppServerCall(http: call, server: server, sessions: authenticator.sessions)
        do {
            call.http.note(operation: route.operation)
            return try await respond(to: call, at: route)
        } catch let failure as AppServerFailure {
            return call.answer(failure, at: route)
        } catch let fault as InjectedFault {
            return call.answer(AppServerFailure(fault), at: route)
        } catch is ContentCutOff {
            return call.answer(.malformed("The content ends early."), at: route)
        } catch {
            call.http.note(failure: error)
            return call.answer(.internalError, at: route)
        }
    }

    private func respond(to call: AppServerCall, at route: AppServerRoute) async throws -> Response {
        guard route.methods.contains(call.http.method) else {
            throw AppServerFailure("MethodNotAllowed", .methodNotAllowed, "The method is not allowed here.")
        }
        try call.refuseForeignClients(of: route)
        switch route {
        case .distribution, .demo: return try await call.distribute(as: route)
        case .signing: return try await call.sign()
        case .metadataToken: return try await call.makeMetadataToken()
        case .metadata(let name): return try await call.showInstanceRole(name)
        }
    }
}

/// The paths of the app server.
enum AppServerRoute: Equatable {
    /// The path of the documentation.
    case distribution
    /// The path of the SDKs' demo server.
    case demo
    case signing
    case metadataToken
    /// The path with the name of the role; empty for the list of roles.
    case metadata(role: String)

    private static let credentials = "/latest/meta-data/ram/security-credentials"

    init?(_ path: String) {
        switch path {
        case "/distribute-token.json": self = .distribution
        case "/sts/getsts": self = .demo
        case "/sign": self = .signing
        case "/latest/api/token": self = .metadataToken
        case Self.credentials: self = .metadata(role: "")
        default:
            guard path.hasPrefix(Self.credentials + "/") else { return nil }
            guard let name = percentDecoded(path.dropFirst(Self.credentials.count + 1)), !name.contains("/") else { return nil }
            self = .metadata(role: name)
        }
    }

    /// Returns whether the seed configures what the path needs.
    func isOpen(at server: AppServer) -> Bool {
        switch self {
        case .distribution, .demo: server.distribution != nil
        case .signing: server.signingKey != nil
        case .metadataToken, .metadata: server.instanceRole != nil
        }
    }

    /// Whether the path is one of the instance's metadata.
    var isMetadata: Bool {
        switch self {
        case .distribution, .demo, .signing: false
        case .metadataToken, .metadata: true
        }
    }

    /// The operation's name in the journal and in errors on demand.
    var operation: String {
        switch self {
        case .distribution: "DistributeToken"
        case .demo: "GetSts"
        case .signing: "Sign"
        case .metadataToken: "GetMetadataToken"
        case .metadata: "GetInstanceRole"
        }
    }

    var methods: [HTTPRequest.Method] {
        switch self {
        case .distribution, .demo: [.get, .head, .post]
        case .signing: [.post]
        case .metadataToken: [.put]
        case .metadata: [.get, .head]
        }
    }
}
