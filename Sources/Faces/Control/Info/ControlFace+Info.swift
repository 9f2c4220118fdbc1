import Calls
import Cloud
import Directory
import Federation
import HTTPTypes
import ObjectStore
import Policy
import Seeds
import WireFormats

extension ControlFace {
    /// `GET /_virga/info`: returns what runs here: version, addresses, accounts, identity providers, services and counts.
    func describeSandbox(_ call: Call) async throws -> Response {
        let cloud = call.cloud
        let directory = cloud.directory
        let addresses = addresses(call)
        let secure = addresses.filter { $0.hasPrefix("https://") }
        let counts: JSONObject = [
            "buckets": Self.number(cloud.objects.allBuckets.count), "objects": .integer(try await cloud.objects.countObjects()),
            "users": Self.number(directory.users.count), "roles": Self.number(directory.roles.count),
            "people": Self.number(directory.providers.values.reduce(0) { $0 + $1.people.count }),
            "clients": Self.number(directory.providers.values.reduce(0) { $0 + $1.clients.count }),
        ]
        let providers = directory.providers.values.sorted { $0.name < $1.name }
        var json: JSONObject = [
            "version": .string(version), "sandbox": .string(call.names.sandbox ?? Self.defaultSandbox), "origin": .string(call.origin),
            "addresses": .array(addresses.map(JSONValue.string)), "tls": .null, "control": ["token": .bool(access.hasToken)],
            "authorization": servesDenied ? "report" : "enforce", "generation": .integer(cloud.generation), "clock": cloud.clock.json,
            "accounts": .array(directory.accounts.values.sorted { $0.id < $1.id }.map { $0.json(in: directory) }),
            "services": .array(Self.services(of: directory).map(JSONValue.string)),
            "providers": .array(providers.map { $0.summary(origin: call.origin) }),
            "seeds": .array(cloud.seeds.map { .string($0.name) }), "counts": .object(counts),
            "journal": .object(Self.state(of: cloud.journal)), "faults": Self.number(cloud.faults.all.count),
        ]
        if authority != nil { json["tls"] = ["addresses": .array(secure.map(JSONValue.string)), "certificate": "/_virga/ca.pem"] }
        return .json(.object(json))
    }

    private static let defaultSandbox = "default"

    static func number(_ count: Int) -> JSONValue { .integer(Int64(count)) }

    /// The URLs at which the sandbox can be reached: for the default one those of the listeners, for another one its own.
    private func addresses(_ call: Call) -> [String] {
        guard let sandboxKeeper else { return [] }
        guard let name = call.names.sandbox else { return sandboxKeeper.endpoints }
        guard let sandbox = sandboxKeeper.sandboxes().first(where: { $0.name == name }) else { return [] }
        return [sandbox.url, sandbox.portURL, sandbox.securePortURL].compactMap(\.self)
    }

    /// The services that can be used with the contents of the sandbox, by the names that the journal and rules for errors use.
    private static func services(of directory: Directory) -> [String] {
        var services: [String] = []
        let vendors = Set(directory.accounts.values.map(\.vendor))
        if vendors.contains(.aws) { services += ["s3", "sts", "iam"] }
        if vendors.contains(.alibaba) { services += ["oss", "alibaba-sts", "ram", "ims"] }
        if !directory.mobile.backends.isEmpty { services.append("mobile") }
        if !directory.vending.machines.isEmpty { services.append("tvm") }
        if directory.appServer != nil { services.append("appserver") }
        if !directory.userPools.isEmpty { services.append("cognito-idp") }
        return services + directory.credentialServices
    }
}

extension Account {
    /// The account without secrets.
    fileprivate func json(in directory: Directory) -> JSONValue {
        [
            "id": .string(id), "vendor": .string(vendor == .aws ? "aws" : "alibaba"), "name": .string(name),
            "alias": alias.map(JSONValue.string) ?? .null, "root": .string(rootARN),
            "access_keys": .array(rootKeys.filter(\.isActive).map { .string($0.id) }),
            "users": ControlFace.number(directory.users.values.count { $0.user.account == id }),
            "roles": ControlFace.number(directory.roles.values.count { $0.role.account == id }),
        ]
    }
}

extension IdentityProvider {
    /// The provider, with the URLs that a client of this origin sees.
    func summary(origin: String) -> JSONValue {
        let url = "\(origins?.issuer ?? origin)/idp/\(name)"
        return [
            "name": .string(name), "kind": .string(kind.rawValue), "url": .string(url),
            "issuer": kind.isSocial ? issuer.map(JSONValue.string) ?? .null : .string(url),
            "canonical_issuer": issuer.map(JSONValue.string) ?? .null, "people": ControlFace.number(people.count),
            "clients": ControlFace.number(clients.count), "saml": .bool(saml != nil),
        ]
    }
}
