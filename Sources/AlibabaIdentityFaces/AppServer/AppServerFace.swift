package import Calls
import Cloud
package import Directory
package import Federation
import HTTPTypes
import WireFormats

/// The business server of an app, which gives its people temporary credentials and signs for them, and the metadata of the machine that it
/// runs on. (OSS documentation, "Authorize access by using temporary credentials provided by STS"; the demo server of the OSS SDKs for iOS and
/// Android; ECS User Guide, "Instance metadata" and "Instance RAM roles".)
package struct AppServerFace: Sendable {
    private let authenticator: Authenticator

    package init(authenticator: Authenticator) {
        self.authenticator = authenticator
    }

    /// Whether a path is one that the server of a seed answers at.
    package static func answers(_ path: String, in directory: Directory) -> Bool {
        guard let route = AppServerRoute(path), let server = directory.appServer else { return false }
        return route.isOpen(at: server)
    }

    /// Answers one request; a refusal is an answer too.
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
        switch route {
        case .distribution, .demo: return try await call.distribute(as: route)
        case .signing: return try await call.sign()
        case .metadataToken: return try await call.makeMetadataToken()
        case .metadata(let name): return try await call.showInstanceRole(name)
        }
    }
}

/// Where the server answers.
enum AppServerRoute: Equatable {
    /// As the documentation has it.
    case distribution
    /// As the demo server of the SDKs has it.
    case demo
    case signing
    case metadataToken
    /// With the name of the role; empty for the list of roles.
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

    /// Whether the server of the seed has what the path is for.
    func isOpen(at server: AppServer) -> Bool {
        switch self {
        case .distribution, .demo: server.distribution != nil
        case .signing: server.signingKey != nil
        case .metadataToken, .metadata: server.instanceRole != nil
        }
    }

    /// As the journal and errors on demand call it.
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
