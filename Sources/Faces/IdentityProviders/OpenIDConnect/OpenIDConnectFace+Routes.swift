import Calls
import Cloud
import Federation
import HTTPTypes
import WireFormats

extension OpenIDConnectFace {
    /// The routes of an issuer at `/idp/<name>`.
    static let routes = RouteTable<OpenIDConnectFace>(endpoints(at: \.path) + ownEndpoints(at: \.path))

    /// Returns the routes that an issuer has and a realm does not.
    static func ownEndpoints(at path: (ProviderEndpoint) -> String) -> [ProviderRoute<OpenIDConnectFace>] {
        [
            .application(path(.keySet), takes: [.get]) { face in
                try await face.visit.enter("KeySet")
                return try await KeySetDocument(visit: face.visit).response()
            },
            .page(path(.endSession), takes: [.get, .post]) { try await LogoutEndpoint(visit: $0.visit).respond() },
        ] + identityCenterRoutes
    }

    /// Returns the routes that an issuer and a Keycloak realm have, at paths of their own.
    static func endpoints(at path: (ProviderEndpoint) -> String) -> [ProviderRoute<OpenIDConnectFace>] {
        let (registration, frame, device) = (path(.registration), path(.checkSession), path(.deviceVerification))
        let (registrations, frameStatus) = (registration + "/", frame + CheckSessionEndpoint.statusPath)
        var configuration = ProviderRoute<OpenIDConnectFace>.application(registrations, takes: []) { face in
            try await RegistrationEndpoint(visit: face.visit).configure(face.pathBelow(.registration))
        }
        configuration.isPrefix = true
        return [
            .application(path(.token), takes: [.post]) { try await TokenEndpoint(visit: $0.visit).respond() },
            .application(path(.userInfo), takes: [.get, .post]) { try await UserInfoEndpoint(visit: $0.visit).respond() },
            .application(path(.introspection), takes: [.post]) { try await IntrospectionEndpoint(visit: $0.visit).respond() },
            .application(path(.revocation), takes: [.post]) { try await RevocationEndpoint(visit: $0.visit).respond() },
            .application(path(.pushedAuthorization), takes: [.post]) {
                try await PushedAuthorizationEndpoint(visit: $0.visit).respond()
            },
            .application(path(.deviceAuthorization), takes: [.post]) {
                try await DeviceAuthorizationEndpoint(visit: $0.visit).respond()
            },
            .application(registration, registrations, takes: [.post]) {
                try await RegistrationEndpoint(visit: $0.visit).register()
            },
            configuration,
            .application(WellKnownPath.openIDConfiguration, WellKnownPath.authorizationServer, takes: [.get]) { face in
                try await face.visit.enter("Discovery")
                return .json(.object(OpenIDConnectMetadata(visit: face.visit).document))
            },
            .page(path(.authorization), takes: [.get, .post]) { try await $0.authorize() },
            .page(SignIn.path, takes: [.post]) { face in
                try await AuthorizeEndpoint(visit: face.visit).signIn.submit(face.visit.form())
            },
            .page(LogoutEndpoint.confirmationPath, takes: [.post]) { face in
                try await LogoutEndpoint(visit: face.visit).confirm(face.visit.form())
            },
            .page(frame, frameStatus, takes: [.get]) {
                try await CheckSessionEndpoint(visit: $0.visit).respond()
            },
            .page(device, takes: [.get]) { try await $0.devices.show() },
            .page(DeviceVerification.formPath(of: device), takes: [.post]) { try await $0.devices.submit() },
        ]
    }

    /// The page where a user enters the code of a device (RFC 8628 section 3.3).
    private var devices: DeviceVerification {
        DeviceVerification(
            visit: visit, path: visit.path(of: .deviceVerification), meaning: AuthorizeEndpoint(visit: visit).meaning(ofScope:))
    }

    /// Returns the part of the path after that of an endpoint and a slash.
    private func pathBelow(_ endpoint: ProviderEndpoint) -> String {
        // The paths of a product are in addition to those of every issuer.
        let bases = [visit.path(of: endpoint), endpoint.path]
        let base = bases.first { visit.path.hasPrefix($0 + "/") } ?? endpoint.path
        return String(visit.path.dropFirst(base.count + 1))
    }
}
