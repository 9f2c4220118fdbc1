import Directory
import WireFormats

extension RealmReader {
    /// Collects the names of groups and roles, to which other parts refer.
    mutating func readNames(_ realm: JSONObject) {
        for role in Self.objects(realm["roles"]?["realm"]) {
            if let name = role["name"]?.stringValue { knownRoles.insert(KeycloakRoleName(name)) }
        }
        for (client, list) in realm["roles"]?["client"]?.objectValue?.members ?? [] {
            for role in Self.objects(list) {
                if let name = role["name"]?.stringValue { knownRoles.insert(KeycloakRoleName(client: client, name)) }
            }
        }
        readPaths(realm["groups"], below: "")
    }

    private mutating func readPaths(_ list: JSONValue?, below path: String) {
        for group in Self.objects(list) {
            guard let name = group["name"]?.stringValue, Self.isGroupName(name) else { continue }
            groupPaths.insert(TextKey("\(path)/\(name)"))
            readPaths(group["subGroups"], below: "\(path)/\(name)")
        }
    }

    private static func isGroupName(_ name: String) -> Bool { !name.isEmpty && !name.contains("/") }

    /// Converts the roles of the realm and of its clients, without those that every realm has.
    mutating func convertedRoles(_ realm: JSONObject) -> [JSONValue] {
        var converted: [JSONValue] = []
        var known: Set<KeycloakRoleName> = []
        func add(_ role: JSONObject, of client: String?, to reader: inout RealmReader) {
            guard let text = role["name"]?.stringValue, !text.isEmpty else { return }
            let name = KeycloakRoleName(client: client, text)
            guard known.insert(name).inserted, !reader.isBuiltIn(name, role) else { return }
            var seeded: JSONObject = ["name": .string(text)]
            if let client { seeded["client"] = .string(client) }
            if let id = role["id"]?.stringValue, !id.isEmpty { seeded["id"] = .string(id) }
            seeded["description"] = role["description"]?.stringValue.map { .string($0) }
            let owner = "role \(client.map { "\($0)." } ?? "")\(text)"
            reader.setRoles(&seeded, role["composites"]?["realm"], role["composites"]?["client"], owner)
            let attributes = Self.attributes(role["attributes"])
            if !attributes.isEmpty { seeded["attributes"] = .object(attributes) }
            converted.append(.object(seeded))
        }
        for role in Self.objects(realm["roles"]?["realm"]) { add(role, of: nil, to: &self) }
        for (client, list) in realm["roles"]?["client"]?.objectValue?.members ?? [] {
            for role in Self.objects(list) { add(role, of: client, to: &self) }
        }
        return converted
    }

    /// Returns whether every realm has the role. The role of everyone has further ones in some realms.
    private func isBuiltIn(_ name: KeycloakRoleName, _ role: JSONObject) -> Bool {
        guard let known = KeycloakRealm.builtInRoles(of: self.name).first(where: { $0.name == name }) else {
            return false
        }
        guard name == KeycloakRealm.defaultRole(of: self.name) else { return true }
        let ofRealm = Self.texts(role["composites"]?["realm"]).map { KeycloakRoleName($0) }
        let ofClients = (role["composites"]?["client"]?.objectValue?.members ?? []).flatMap { client, names in
            Self.texts(names).map { KeycloakRoleName(client: client, $0) }
        }
        return Set(ofRealm + ofClients).isSubset(of: known.composites)
    }

    /// Converts groups with those below them to a list.
    mutating func convertedGroups(_ list: JSONValue?, below path: String) -> [JSONValue] {
        var converted: [JSONValue] = []
        var known: Set<TextKey> = []
        for group in Self.objects(list) {
            guard let name = group["name"]?.stringValue, Self.isGroupName(name), known.insert(TextKey(name)).inserted else {
                lose("group '\(group["name"]?.stringValue ?? "")' below '\(path)/': its name is empty, repeated, or has a slash")
                continue
            }
            let own = "\(path)/\(name)"
            var seeded: JSONObject = ["path": .string(own)]
            if let id = group["id"]?.stringValue, !id.isEmpty { seeded["id"] = .string(id) }
            let attributes = Self.attributes(group["attributes"])
            if !attributes.isEmpty { seeded["attributes"] = .object(attributes) }
            setRoles(&seeded, group["realmRoles"], group["clientRoles"], "group \(own)")
            converted.append(.object(seeded))
            converted += convertedGroups(group["subGroups"], below: own)
        }
        return converted
    }

    /// Sets the roles of an account, a group or a composite role, without unknown ones.
    mutating func setRoles(_ seeded: inout JSONObject, _ ofRealm: JSONValue?, _ ofClients: JSONValue?, _ owner: String) {
        func known(_ names: [String], of client: String?, _ reader: inout RealmReader) -> [JSONValue] {
            names.compactMap { text in
                let name = KeycloakRoleName(client: client, text)
                guard !reader.knownRoles.contains(name) else { return .string(text) }
                reader.lose("\(owner): role \(client.map { "\($0)." } ?? "")\(text), which the file does not have")
                return nil
            }
        }
        // Everyone has the role of everyone.
        let everyone = KeycloakRealm.defaultRole(of: name).name
        let own = known(Self.texts(ofRealm).filter { $0 != everyone }, of: nil, &self)
        if !own.isEmpty { seeded["realmRoles"] = .array(own) }
        var clients = JSONObject()
        for (client, names) in ofClients?.objectValue?.members ?? [] {
            let own = known(Self.texts(names), of: client, &self)
            if !own.isEmpty { clients[client] = .array(own) }
        }
        if !clients.isEmpty { seeded["clientRoles"] = .object(clients) }
    }
}
