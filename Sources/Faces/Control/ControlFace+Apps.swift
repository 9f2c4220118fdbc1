import Calls
import Cloud
import Directory
import HTTPTypes
import Seeds
import WireFormats

extension ControlFace {
    /// `/_virga/providers/<name>/apps[/<id>]`: the apps that are registered with a Facebook provider. GET lists them, PUT creates or
    /// replaces one (the object has the format of seeds), DELETE removes it.
    func answerApps(_ call: Call, path: String) async throws -> Response {
        let segments = path.split(separator: "/").dropFirst().map { percentDecoded($0) ?? "" }
        let (name, id) = (segments[0], segments.count == 3 ? segments[2] : nil)
        let cloud = call.cloud
        @Sendable func facebook(in directory: Directory) throws(ControlError) -> IdentityProvider {
            guard let provider = directory.providers[name], provider.kind == .facebook else {
                throw ControlError(.notFound, "unknown_provider", "There is no Facebook provider '\(name)'.")
            }
            return provider
        }
        func unknown(_ id: String) -> ControlError { ControlError(.notFound, "unknown_app", "The provider has no app '\(id)'.") }
        let method = call.method == .head ? .get : call.method
        switch (method, id) {
        case (.get, nil): return .json(["apps": .array(try facebook(in: cloud.directory).clients.map { .object(try $0.appJSON) })])
        case (.get, let id?):
            guard let app = try facebook(in: cloud.directory).client(id) else { throw unknown(id) }
            return .json(.object(try app.appJSON))
        case (.put, let id?):
            let text = try await call.collectBody(upTo: 1 << 20)
            let app: Client
            do {
                app = try Client.record.read(text)
            } catch {
                let place = error.place.isEmpty ? "" : " at \(error.place)"
                throw ControlError(.badRequest, "malformed_app", "Expected\(place) \(error.expected).")
            }
            guard app.id == id else {
                throw ControlError(.badRequest, "malformed_app", "The document names '\(app.id)', and the path names '\(id)'.")
            }
            let isNew = try await cloud.edit { directory in
                let provider = try facebook(in: directory)
                directory.put(app, at: provider.name)
                return provider.client(id) == nil
            }
            return .json(.object(try app.appJSON), status: isNew ? .created : .ok)
        case (.delete, let id?):
            try await cloud.edit { directory in
                let provider = try facebook(in: directory)
                guard provider.client(id) != nil else {
                    throw ControlError(.notFound, "unknown_app", "The provider has no app '\(id)'.")
                }
                directory.removeClient(id, at: provider.name)
            }
            return .json(["status": "ok"])
        default: throw ControlError(.notFound, "unknown_path", "There is no \(call.path). GET /_virga/ lists all calls.")
        }
    }
}

extension Client {
    /// The app in the format of seeds, with its name and redirect URIs in any case.
    fileprivate var appJSON: JSONObject {
        get throws {
            var json: JSONObject = ["id": .string(id), "name": .string(name), "redirectURIs": .array(redirectURIs.map { .string($0) })]
            for (member, value) in try Client.record.json(of: self).members { json[member] = value }
            return json
        }
    }
}
