import Calls
import Directory
import Federation
import GatewayFace
import HTTPTypes
import WireFormats

/// The parts of a request that determine its route.
struct RoutingFacts {
    var method: HTTPRequest.Method
    /// In lower case, without port.
    var host: String
    var path: String
    var query: String
    var authorization: String?
    var contentType: String?
    /// The host names of this process.
    var names = HostNames()
    var headers = HTTPFields()
    /// The contents of the sandbox.
    var residents: any Residents
    /// The call, which parses its query once.
    var call: Call?
    /// The services that are forwarded; `nil` if none is.
    var upstreams: Upstreams?

    /// The names and values of the query; `nil` if it has an invalid escape.
    var queryFields: FormFields? {
        if let call { return call.queryFields }
        return FormFields(parsing: query)
    }

    /// Returns the route of a service that is forwarded; `nil` if it is not.
    /// - Parameter mark: see ``Upstreams/service(marked:)``.
    func forwarded(_ mark: String) -> Route? { upstreams?.service(marked: mark).map { .forwarded(service: $0) } }

    /// Returns whether the query contains a text. Compares bytes, because a query may be long.
    func queryContains(_ text: String) -> Bool { query.firstRange(of: text) != nil }

    /// Returns whether the query has a parameter that begins like this. A value that contains the text does not match.
    func hasParameter(_ beginning: String) -> Bool {
        query.utf8.starts(with: beginning.utf8) || queryContains("&" + beginning)
    }

    /// Returns the value of a header.
    func header(_ name: HTTPField.Name) -> String? { headers.value(of: name) }

    /// Returns whether the request has an OSS header.
    func hasOSSHeader() -> Bool { headers.contains { $0.name.canonicalName.hasPrefix("x-oss-") } }
}

/// The objects of a sandbox that paths and hosts can name.
protocol Residents {
    /// Returns whether a bucket with this name exists; this decides what `<name>.localhost` means.
    func isBucket(_ name: String) -> Bool
    /// Returns whether the bucket is visible only through OSS.
    func isOSSBucket(_ name: String) -> Bool
    /// Returns whether the bucket is visible only through S3.
    func isS3Bucket(_ name: String) -> Bool
    /// Returns the bucket that OSS serves at this host; `nil` if there is none.
    func bucketOfHost(_ host: String) -> String?
    /// Returns whether an identity provider with this name exists.
    func isProvider(_ name: String) -> Bool
    /// Returns the issuer that a path belongs to at the host of its canonical name.
    func issuer(atHost host: String, path: String) -> IssuerPlace?
    /// Returns whether the mobile cloud has any backend.
    func hasMobileBackends() -> Bool
    /// Returns whether a token vending machine of this kind exists.
    func hasVendingMachine(_ kind: VendingMachines.Kind) -> Bool
    /// Returns whether there is an EC2 instance, whose metadata service is open.
    func hasInstances() -> Bool
    /// Returns whether there is an ECS task.
    func hasTasks() -> Bool
    /// Returns whether there is IAM Identity Center.
    func hasIdentityCenter() -> Bool
    /// Returns whether a host is one of IAM Identity Center in this sandbox.
    func isIdentityCenter(host: String) -> Bool
    /// Returns the identifier of the user pool with a domain; `nil` if there is none.
    func userPool(ofDomain host: String) -> String?
    /// Returns whether the app server handles a path.
    func isAppServer(_ path: String) -> Bool
    /// Returns the token vending machine with this host.
    func vendingMachineOfHost(_ host: String) -> VendingMachines.Kind?
    /// Returns the identity provider for the fixed SAML paths; `nil` if there is none.
    func samlProvider() -> String?
}
