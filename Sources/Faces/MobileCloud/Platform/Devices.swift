import Calls
import Cloud
import Directory
import HTTPTypes
import WireFormats

/// `/mobile/platform/devices/…`: registers where notifications reach an app on a device. Every caller may use it.
/// (REST API for Oracle Mobile Cloud Service, "Register Mobile Client" and "Deregister Mobile Client".)
struct Devices {
    let call: MobileCall

    private static let bodyLimit = 64 << 10

    func respond() async throws -> Response {
        switch call.path.dropFirst(3) {
        case ["register"]:
            guard call.method == .post else { throw MobileError.methodNotAllowed(.post) }
            return try await register()
        case ["deregister"]:
            guard call.method == .post else { throw MobileError.methodNotAllowed(.post) }
            return try await deregister()
        default: throw MobileError(.unknownPath, "There is no API at \(call.http.path).")
        }
    }

    private func register() async throws -> Response {
        let caller = try await call.enter(authenticating: "registerDevice")
        let body = try await body()
        guard body["user"] == nil else {
            throw MobileError(.forbidden, "Only team members may name another user for the device.")
        }
        let registration = try Registration(body)
        let device = MobileDevice(
            id: RequestID().uuid, backend: caller.backend.id, client: registration.client,
            notificationToken: registration.notificationToken, notificationProvider: registration.notificationProvider, user: caller.name,
            modified: call.http.received)
        let (registered, isNew) = try await call.cloud.mobileDevices.register(device)
        return .json(.object(registered.json), status: isNew ? .created : .ok)
    }

    private func deregister() async throws -> Response {
        let caller = try await call.enter(authenticating: "deregisterDevice")
        let registration = try Registration(try await body())
        let devices = call.cloud.mobileDevices
        let known = try devices.all(of: caller.backend.id).filter {
            $0.client.id == registration.client.id && $0.client.platform == registration.client.platform
        }
        guard !known.isEmpty else {
            throw MobileError(
                .malformedRequest, "The mobile client '\(registration.client.id)' is not registered with the backend on this platform.")
        }
        let existed = try await devices.deregister(
            client: registration.client.id, platform: registration.client.platform, notificationToken: registration.notificationToken,
            backend: caller.backend.id)
        guard existed else { throw MobileError(.unknownResource, "No device is registered with this notification token.") }
        return Response(status: .ok)
    }

    private func body() async throws -> JSONObject {
        guard let body = try await call.json(upTo: Self.bodyLimit).objectValue else {
            throw MobileError(.malformedRequest, "The body must be an object.")
        }
        return body
    }
}

/// The content of a registration request.
private struct Registration {
    var client: MobileDevice.Client
    var notificationToken: String
    var notificationProvider: MobileDevice.Provider?

    /// - Throws: ``MobileError``.
    init(_ body: JSONObject) throws(MobileError) {
        notificationToken = try Self.text("notificationToken", of: body, in: "")
        guard let client = body["mobileClient"]?.objectValue else {
            throw MobileError(.malformedRequest, "'mobileClient' must be an object.")
        }
        let platform: MobileDevice.Platform = try Self.name("platform", of: client, in: "mobileClient.")
        self.client = MobileDevice.Client(
            id: try Self.text("id", of: client, in: "mobileClient."),
            version: client["version"] == nil ? nil : try Self.text("version", of: client, in: "mobileClient."), platform: platform)
        notificationProvider = body["notificationProvider"] == nil ? nil : try Self.name("notificationProvider", of: body, in: "")
    }

    private static func text(_ name: String, of object: JSONObject, in place: String) throws(MobileError) -> String {
        guard let text = object[name]?.stringValue, !text.isEmpty else {
            throw MobileError(.malformedRequest, "'\(place)\(name)' must be a string.")
        }
        return text
    }

    private static func name<Value: RawRepresentable<String> & CaseIterable>(
        _ name: String, of object: JSONObject, in place: String
    ) throws(MobileError) -> Value {
        guard let value = object[name]?.stringValue.flatMap({ Value(rawValue: $0) }) else {
            let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw MobileError(.malformedRequest, "'\(place)\(name)' must be one of \(names).")
        }
        return value
    }
}
