import Calls
import WireFormats

/// Identity: the people, clients and keys of providers, and the users and roles of accounts.
struct IdentityRoom: ConsoleRoom {
    let visit: Visit
    let results: KeptValues<IdentityResult>

    func show() async throws -> Response {
        let segments = Array(visit.segments.dropFirst())
        let scene = try await IdentityScene(visit, results)
        switch (segments.first, segments.count) {
        case (nil, _): return IdentityPage(scene: scene).response
        case ("providers", 2): return try await ProviderPage(scene: scene, name: segments[1]).response()
        case ("providers", 4) where segments[2] == "people":
            return try await PersonPage(scene: scene, provider: segments[1], name: segments[3]).response()
        case ("providers", 4) where segments[2] == "clients":
            return try await ClientPage(scene: scene, provider: segments[1], id: segments[3]).response()
        case ("cognito", 1): return try await CognitoPage(scene: scene).response()
        case ("user-pools", 3): return try await UserPoolPage(scene: scene, account: segments[1], pool: segments[2]).response()
        case ("user-pools", 5) where segments[3] == "people":
            return try await UserPoolPersonPage(scene: scene, account: segments[1], pool: segments[2], name: segments[4]).response()
        case ("identity-pools", 3): return try await IdentityPoolPage(scene: scene, account: segments[1], pool: segments[2]).response()
        case ("accounts", 2): return try await AccountPage(account: try AccountClient(scene, segments[1])).response()
        case ("accounts", 4) where segments[2] == "policies":
            return try await ManagedPolicyPage(account: try AccountClient(scene, segments[1]), id: segments[3]).response()
        case ("accounts", 4):
            guard let kind = HolderKind(rawValue: segments[2]) else { throw ConsoleRefusal.noSuchPage }
            return try await HolderPage(account: try AccountClient(scene, segments[1]), kind: kind, name: segments[3]).response()
        default: throw ConsoleRefusal.noSuchPage
        }
    }

    func act() async throws -> Response {
        let segments = Array(visit.segments.dropFirst())
        let scene = try await IdentityScene(visit, results)
        switch (segments.first, segments.count) {
        case ("create-provider", 1): return try await ProviderActions(scene: scene, provider: "").createProvider()
        case ("providers", 3): return try await ProviderActions(scene: scene, provider: segments[1]).perform(segments[2])
        case ("accounts", 3): return try await AccountActions(account: try AccountClient(scene, segments[1])).perform(segments[2])
        default: throw ConsoleRefusal.noSuchAction
        }
    }
}
