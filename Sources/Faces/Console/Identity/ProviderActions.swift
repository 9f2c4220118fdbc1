import Calls
import ControlDocuments
import HTTPTypes
import WireFormats

/// The forms of identity providers. Each is a call of the control API.
struct ProviderActions {
    let scene: IdentityScene
    let provider: String

    private var visit: Visit { scene.visit }
    private var page: String { IdentityScene.path("providers", provider) }
    private var path: String { "/providers/\(percentEncoded(provider))" }

    private func field(_ name: String) -> String { visit.form.first(name) ?? "" }
    /// A field whose value is percent-encoded.
    private func name(_ field: String) -> String { percentDecoded(self.field(field)) ?? "" }

    func perform(_ action: String) async throws -> Response {
        switch action {
        case "add-person", "save-person": return try await savePerson(action)
        case "add-client", "save-client": return try await saveClient(action)
        case "delete-person": return try await remove("\(path)/people/\(percentEncoded(name("person")))", action)
        case "delete-client": return try await remove("\(path)/clients/\(percentEncoded(name("client")))", action)
        case "unregister":
            return try await remove("\(path)/service-providers?\((["entityID": name("entity")] as FormFields).queryEncoded)", action)
        case "delete":
            let answer = await visit.client.call(.delete, path, nil)
            return try finish(answer, action, at: answer.isSuccess ? IdentityScene.path() : page, .deleted)
        case "revoke":
            let answer = await visit.client.call(.delete, "\(path)/people/\(percentEncoded(name("person")))/grants", nil)
            return try finish(answer, action, at: personPage, .ended)
        case "logout":
            let answer = await visit.client.call(.delete, "\(path)/sessions/\(percentEncoded(name("session")))", nil)
            return try finish(answer, action, at: name("person").isEmpty ? page : personPage, .ended)
        case "logout-all": return try finish(await visit.client.call(.delete, "\(path)/sessions", nil), action, at: page, .ended)
        case "rotate":
            let answer = await visit.client.post("/keys/rotate", ["provider": .string(provider), "overlap": .string(field("overlap"))])
            return try finish(answer, action, at: page, .rotated)
        case "register": return try await register()
        case "preview": return try await preview()
        case "assertion": return try await assertion()
        default: throw ConsoleRefusal.noSuchAction
        }
    }

    private var personPage: String { IdentityScene.path("providers", provider, "people", name("person")) }

    /// Shows the answer of a call: a message, or the error with what was typed.
    private func finish(_ answer: ControlAnswer, _ action: String, at page: String, _ message: DoneMessage) throws -> Response {
        guard let refusal = answer.refusal else { return Visit.seeOther("\(page)?done=\(message.rawValue)") }
        return try refuse(refusal, action, at: page)
    }

    private func refuse(_ refusal: ConsoleRefusal, _ action: String, at page: String) throws -> Response {
        try scene.show(IdentityResult(action: action, refusal: refusal, form: visit.form), at: page)
    }

    private func remove(_ path: String, _ action: String) async throws -> Response {
        try finish(await visit.client.call(.delete, path, nil), action, at: page, .deleted)
    }

    /// Returns the JSON of a field.
    /// - Throws: ``ConsoleRefusal`` that names the member of the document.
    private func object(_ name: String) throws -> JSONValue {
        let text = field(name).trimmed
        if text.isEmpty { return [:] }
        let json: JSONValue
        do throws(JSONSyntaxError) {
            json = try JSONValue(parsing: text)
        } catch {
            throw ConsoleRefusal(
                code: "malformed_json",
                message: "\(name)\(IdentityResult.invalidJSON)\(TextPlace(error.offset, in: text)): \(error.reason.rawValue).")
        }
        guard json.objectValue != nil else {
            throw ConsoleRefusal(code: "malformed_json", message: "\(name)\(IdentityResult.notAnObject)")
        }
        return json
    }

    func createProvider() async throws -> Response {
        let start = IdentityScene.path()
        guard let json = try? JSONValue(parsing: field("document")), let name = json["name"]?.stringValue, !name.isEmpty else {
            return try refuse(
                ConsoleRefusal(code: "malformed_provider", message: "Expected a JSON object with a name."), "create-provider", at: start)
        }
        if scene.info.providers.contains(where: { $0.name == name }) {
            return try refuse(
                ConsoleRefusal(code: "conflict", message: "There is a provider \(name) already. Choose another name."), "create-provider",
                at: start)
        }
        let answer = await visit.client.call(.put, "/providers/\(percentEncoded(name))", json)
        return try finish(answer, "create-provider", at: answer.isSuccess ? IdentityScene.path("providers", name) : start, .created)
    }

    private func savePerson(_ action: String) async throws -> Response {
        let isNew = action == "add-person"
        let name = isNew ? field("name") : name("person")
        let failurePage = isNew ? page : personPage
        let place = "\(path)/people/\(percentEncoded(name))"
        do {
            guard !name.isEmpty else { throw ConsoleRefusal(code: "malformed_person", message: "Expected at name a name for the login.") }
            var document: JSONObject = [:]
            let known = await visit.client.get(place)
            if isNew, known.isSuccess {
                throw ConsoleRefusal(code: "conflict", message: "Expected at name another name: the provider has this person already.")
            }
            if !isNew { document = known.json.objectValue ?? [:] }
            document["name"] = .string(name)
            document["subject"] = .string(field("subject"))
            document["password"] = .string(field("password"))
            document["claims"] = try object("claims")
            if let block = visit.form.first("block") {
                var facebook = document["facebook"]?.objectValue ?? [:]
                facebook["block"] = block.isEmpty ? nil : .string(block)
                document["facebook"] = facebook.members.isEmpty ? nil : .object(facebook)
            }
            let answer = await visit.client.call(.put, place, .object(document))
            return try finish(
                answer, action, at: answer.isSuccess ? IdentityScene.path("providers", provider, "people", name) : failurePage,
                isNew ? .created : .saved)
        } catch let refusal as ConsoleRefusal {
            return try refuse(refusal, action, at: failurePage)
        }
    }

    private func saveClient(_ action: String) async throws -> Response {
        let isNew = action == "add-client"
        let id = isNew ? field("id") : name("client")
        let own = IdentityScene.path("providers", provider, "clients", id)
        let failurePage = isNew ? page : own
        let place = "\(path)/clients/\(percentEncoded(id))"
        do {
            guard !id.isEmpty else { throw ConsoleRefusal(code: "malformed_client", message: "Expected at id a client ID.") }
            var document: JSONObject = [:]
            let known = await visit.client.get(place)
            if isNew, known.isSuccess {
                throw ConsoleRefusal(code: "conflict", message: "Expected at id another client ID: the provider has this client already.")
            }
            if !isNew { document = known.json.objectValue ?? [:] }
            let uris = field("uris").split { $0.isNewline }.map { String($0).trimmed }.filter { !$0.isEmpty }
            document["id"] = .string(id)
            document["secret"] = field("secret").isEmpty ? nil : .string(field("secret"))
            document["name"] = field("title").isEmpty ? nil : .string(field("title"))
            document["redirectURIs"] = .array(uris.map(JSONValue.string))
            let metadata = try object("metadata")
            document["metadata"] = metadata.objectValue?.members.isEmpty == true ? nil : metadata
            let answer = await visit.client.call(.put, place, .object(document))
            return try finish(answer, action, at: answer.isSuccess ? own : failurePage, isNew ? .created : .saved)
        } catch let refusal as ConsoleRefusal {
            return try refuse(refusal, action, at: failurePage)
        }
    }

    /// Registers a service provider by its metadata or by an object as in seeds.
    private func register() async throws -> Response {
        let answer = await visit.client.sendText(
            .put, "\(path)/service-providers", field("descriptor"), "application/xml")
        return try finish(answer, "register", at: page, .created)
    }

    private func preview() async throws -> Response {
        let order: JSONValue = [
            "provider": .string(provider), "user": .string(name("person")), "client": .string(name("client")),
            "type": .string(field("type")),
        ]
        let answer = await visit.client.post("/tokens", order)
        if let refusal = answer.refusal { return try refuse(refusal, "preview", at: personPage) }
        let issued = answer.document(IssuedTokenMembers.self)
        let token = issued.token
        var preview = TokenPreview(
            title: "\(issued.type) for \(issued.client)", text: token,
            inspected: await visit.client.post("/inspect", ["text": .string(token)]).document())
        preview.profile = try await profile(
            of: name("person"), client: name("client"), token: field("type") == "access_token" ? token : nil)
        return try scene.show(IdentityResult(action: "preview", preview: preview), at: personPage)
    }

    /// Asks the provider about a person with an access token.
    private func profile(of person: String, client: String, token: String?) async throws -> Exchange? {
        guard let walk = WalkProvider(await visit.client.get(path).json) else { return nil }
        var access = token
        if access == nil {
            let answer = await visit.client.post(
                "/tokens",
                ["provider": .string(provider), "user": .string(person), "client": .string(client), "type": "access_token"])
            access = answer.issued
        }
        guard let access else { return nil }
        return try await Sender(client: visit.client).send(
            "Get the profile from \(walk.title)", "GET", walk.profilePath, headers: ["Authorization": "Bearer \(access)"])
    }

    private func assertion() async throws -> Response {
        let order: JSONValue = [
            "provider": .string(provider), "user": .string(name("person")), "serviceProvider": .string(name("service")),
        ]
        let answer = await visit.client.post("/tokens", order)
        if let refusal = answer.refusal { return try refuse(refusal, "assertion", at: personPage) }
        let text = answer.issued ?? ""
        let preview = TokenPreview(
            title: "SAML response for \(name("service"))", text: text,
            inspected: await visit.client.post("/inspect", ["text": .string(text)]).document())
        return try scene.show(IdentityResult(action: "assertion", preview: preview), at: personPage)
    }
}
