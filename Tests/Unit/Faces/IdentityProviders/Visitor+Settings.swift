import Cloud
import Directory
import Fixtures
import HTTPTypes
import WireFormats

extension Visitor {
    /// Changes a provider in the sandbox's directory.
    func change(_ name: String, _ change: (inout IdentityProvider) -> Void) async throws {
        try await cloud.edit { directory in
            guard var provider = directory.providers[name] else { return }
            change(&provider)
            directory.put(.provider(provider))
        }
    }

    /// Changes the settings of the first app of Facebook.
    func changeApp(_ change: (inout FacebookApp) -> Void) async throws {
        try await self.change("facebook") { provider in
            var app = provider.clients[0].facebook ?? FacebookApp()
            change(&app)
            provider.clients[0].facebook = app
        }
    }
}

extension Answer {
    /// Returns the value that the page shows under a name.
    func shown(_ name: String) -> String? {
        guard let start = body.firstRange(of: "data-name=\"\(name)\">") else { return nil }
        return String(body[start.upperBound...].prefix { $0 != "<" })
    }
}
