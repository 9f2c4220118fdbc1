package import Calls
import Cloud
package import Directory
package import Federation
import HTTPTypes
import WireFormats

/// The token vending machines: servers that issued temporary credentials to apps of the first AWS mobile SDKs. The anonymous machine
/// issued them to registered devices, the identity machine to users who had logged in on a device.
/// (The servers' source, "aws-tvm-anonymous" and "aws-tvm-identity"; AWS, "Authenticating Users of AWS Mobile Applications with a Token
/// Vending Machine".)
package struct TokenVendingMachineFace: Sendable {
    private let sessions: SessionTokens

    package init(authenticator: Authenticator) {
        sessions = authenticator.sessions
    }

    /// Responds to one request.
    /// - Parameters:
    ///   - kind: the machine that is addressed.
    ///   - path: the path below the machine; empty or with a leading slash.
    package func respond(to call: Call, machine kind: VendingMachines.Kind, path: String) async -> Response {
        call.note(face: "tvm")
        guard let machine = call.cloud.directory.vending.machines[kind] else {
            return VendingPage.missing(in: kind.rawValue).response(status: .notFound)
        }
        let call = VendingCall(http: call, machine: machine, path: path, sessions: sessions)
        do {
            return try await respond(to: call)
        } catch let refusal as VendingRefusal {
            return call.refuse(refusal)
        } catch let fault as InjectedFault {
            return call.refuse(VendingRefusal(fault))
        } catch is ContentCutOff {
            return call.refuse(VendingRefusal(.badRequest))
        } catch {
            if FullStorage.isCause(of: error) { return call.refuse(VendingRefusal(.insufficientStorage)) }
            call.http.note(failure: error)
            return call.refuse(VendingRefusal(.internalServerError))
        }
    }

    private func respond(to call: VendingCall) async throws -> Response {
        let http = call.http
        // Redirects to the directory as a servlet container does, so that the pages' relative links work.
        if call.path.isEmpty { return .redirect(to: http.path + "/") }
        guard [.get, .head, .post].contains(http.method) else {
            call.http.note(errorCode: "405")
            return VendingPage.unsupported(http.method.rawValue, of: call.machine).response(status: .methodNotAllowed)
        }
        switch VendingServlet(path: call.path, of: call.machine.kind) {
        case .home: return VendingPage.home(of: call.machine).response()
        case .registrationForm: return VendingPage.registration(at: call.machine).response()
        case .registerDevice: return try await call.registerDevice()
        case .registerUser: return try await call.registerUser()
        case .login: return try await call.login()
        case .getToken: return try await call.getToken()
        case nil:
            call.http.note(errorCode: "404")
            return VendingPage.missing(in: call.machine.app).response(status: .notFound)
        }
    }
}

/// The handler of a machine's path.
enum VendingServlet: Equatable {
    case home
    case registrationForm
    case registerDevice
    case registerUser
    case login
    case getToken

    /// Servlets are mapped as `/<name>/*`, pages to their exact paths.
    init?(path: String, of kind: VendingMachines.Kind) {
        let name = path.dropFirst().prefix { $0 != "/" }
        switch (kind, name) {
        case (.anonymous, "registerdevice"): self = .registerDevice
        case (.identity, "registeruser"): self = .registerUser
        case (.identity, "login"): self = .login
        case (_, "gettoken"): self = .getToken
        case (.identity, _) where path == "/register.jsp": self = .registrationForm
        case (_, _) where path == "/" || path == "/home.jsp": self = .home
        default: return nil
        }
    }
}
