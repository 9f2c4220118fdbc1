import Calls
import Cloud
import ControlDocuments
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
        let objects = try await cloud.objects.countObjects()
        let providers = directory.providers.values.sorted { $0.name < $1.name }
        let (people, clients) = providers.reduce((0, 0)) { ($0.0 + $1.people.count, $0.1 + $1.clients.count) }
        let counts = Document<CountMembers> {
            [
                $0.buckets(cloud.objects.allBuckets.count), $0.objects(objects), $0.users(directory.users.count),
                $0.roles(directory.roles.count), $0.people(people), $0.clients(clients),
            ]
        }
        let accounts = directory.accounts.values.sorted { $0.id < $1.id }.map { $0.document(in: directory) }
        let summaries = providers.map { $0.summary(origin: call.origin) }
        let tls = Document<TLSMembers> { [$0.addresses(secure), $0.certificate("/_virga/ca.pem")] }
        return .json(
            Document<InfoMembers> {
                [
                    $0.version(version), $0.sandbox(call.names.sandbox ?? Self.defaultSandbox), $0.origin(call.origin),
                    $0.addresses(addresses), $0.tls(authority == nil ? nil : tls),
                    $0.control(Document { [$0.token(access.hasToken)] }), $0.authorization(servesDenied ? "report" : "enforce"),
                    $0.generation(cloud.generation), $0.clock(cloud.clock.document),
                    $0.accounts(accounts), $0.services(Self.services(of: directory)),
                    $0.upstreams(upstreams().map(\.document)), $0.providers(summaries),
                    $0.seeds(cloud.seeds.map(\.name)), $0.counts(counts), $0.journal(Self.state(of: cloud.journal)),
                    $0.faults(cloud.faults.all.count),
                ]
            }.json)
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
        if !directory.identityPools.isEmpty { services.append("cognito-identity") }
        if !directory.userPools.isEmpty { services.append("cognito-idp") }
        return services + directory.credentialServices
    }
}

extension Account {
    /// The account without secrets.
    fileprivate func document(in directory: Directory) -> Document<AccountMembers> {
        let users = directory.users.values.count { $0.user.account == id }
        let roles = directory.roles.values.count { $0.role.account == id }
        return Document {
            [
                $0.id(id), $0.vendor(vendor == .aws ? "aws" : "alibaba"), $0.name(name), $0.alias(alias), $0.root(rootARN),
                $0.accessKeys(rootKeys.filter(\.isActive).map(\.id)), $0.users(users), $0.roles(roles),
            ]
        }
    }
}

extension IdentityProvider {
    /// The provider, with the URLs that a client of this origin sees.
    func summary(origin: String) -> Document<ProviderMembers> {
        let url = "\(origins?.issuer ?? origin)/idp/\(name)"
        return Document {
            [
                $0.name(name), $0.kind(kind.rawValue), $0.url(url), $0.issuer(kind.isSocial ? issuer : url), $0.canonicalIssuer(issuer),
                $0.people(people.count), $0.clients(clients.count), $0.saml(saml != nil),
            ]
        }
    }
}
