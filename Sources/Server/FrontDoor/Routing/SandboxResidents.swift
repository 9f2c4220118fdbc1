import AlibabaIdentityFaces
import Calls
import Cloud
import Directory
import Federation
import GatewayFace
import HTTPTypes
import ObjectStore
import Policy
import WireFormats

/// The objects of the sandbox that a path or host can name.
struct SandboxResidents: Residents {
    let cloud: Cloud

    func isBucket(_ name: String) -> Bool { cloud.objects.bucket(named: name) != nil }
    func isOSSBucket(_ name: String) -> Bool { cloud.objects.bucket(named: name).map { $0.shown(by: .aws) == nil } ?? false }
    func isS3Bucket(_ name: String) -> Bool { cloud.objects.bucket(named: name).map { $0.shown(by: .alibaba) == nil } ?? false }
    func bucketOfHost(_ host: String) -> String? { cloud.objects.bucket(hostedAt: host)?.name }
    func isProvider(_ name: String) -> Bool { cloud.directory.providers[name] != nil }
    func issuer(atHost host: String, path: String) -> IssuerPlace? { cloud.directory.issuer(atHost: host, path: path) }
    func hasMobileBackends() -> Bool { !cloud.directory.mobile.backends.isEmpty }
    func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool { cloud.directory.vending.machines[kind] != nil }
    func hasInstances() -> Bool { cloud.directory.credentialSources.hasInstances }
    func hasTasks() -> Bool { !cloud.directory.credentialSources.tasks.isEmpty }
    func hasIdentityCenter() -> Bool { cloud.directory.credentialSources.identityCenter != nil }
    func isIdentityCenter(host: String) -> Bool { cloud.directory.credentialSources.isIdentityCenter(host: host) }
    func userPool(ofDomain host: String) -> String? { cloud.directory.userPools.domain(ofHost: host)?.pool }
    func isAppServer(_ path: String) -> Bool { AppServerFace.answers(path, in: cloud.directory) }
    func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind? { cloud.directory.vending.kind(ofHost: host) }
    func samlProvider() -> String? { cloud.directory.providers.values.lazy.filter { $0.saml != nil }.map(\.name).min() }
}

extension RoutingFacts {
    /// The facts of a call.
    /// - Parameter upstreams: the services that are forwarded; `nil` if none is.
    init(_ call: Call, upstreams: Upstreams?) {
        self.init(
            method: call.method, host: call.host, path: call.path, query: call.query,
            authorization: call.headers.value(of: .authorization), contentType: call.headers.value(of: .contentType), names: call.names,
            headers: call.headers, residents: SandboxResidents(cloud: call.cloud), call: call, upstreams: upstreams)
    }
}
