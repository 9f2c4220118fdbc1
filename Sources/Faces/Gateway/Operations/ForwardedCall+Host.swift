import Calls
import Federation
import HTTPTypes
import ServiceModels
import WireFormats

extension ForwardedCall {
    /// Refuses a host that names another service or another region than the signature: an upstream could follow the host. A region with
    /// unusual characters would change the ARNs that policies see.
    func checkHost(region: String) throws(Refusal) {
        let isName = region.utf8.count <= 32 && region.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 || $0 == 0x2D }
        guard isName else { throw .unauthenticated(AuthenticationRefusal(.wrongRegion(presented: region, expected: "")), of: service.name, in: wire) }
        guard let host = ServiceHost(http.host) else { return try checkOwnHost() }
        let isOfService = host.labels.contains { label in
            names.contains { label.equals($0) || label.hasPrefix("\($0)-") || label.hasSuffix("-\($0)") }
        }
        guard isOfService else { throw .unknown("The host \(http.host) is not one of \(service.name).", in: wire) }
        guard host.labels.count == 1 || host.labels.contains(where: { $0 == region }) else {
            throw .unauthenticated(AuthenticationRefusal(.wrongRegion(presented: region, expected: "")), of: service.name, in: wire)
        }
    }

    /// The labels of the service in hosts of AWS. (AWS General Reference, "Service endpoints and quotas"; older hosts of SQS; hosts of
    /// DynamoDB with an account.)
    private var names: [String] {
        let further =
            switch service.name {
            case "sqs": ["queue"]
            case "dynamodb": ["ddb"]
            default: [String]()
            }
        return [service.signingName, service.name] + further
    }

    /// Refuses a host that begins with the name of another service, as emulators have them: `dynamodb.localhost`.
    private func checkOwnHost() throws(Refusal) {
        let labels = http.host.split(separator: ".")
        guard labels.count > 1, let first = labels.first.map({ String($0) }) else { return }
        let table = ServiceTable.builtIn
        guard let other = table.service(signing: first) ?? table.service(prefix: first), other.name != service.name else { return }
        throw .unknown("The host \(http.host) is not one of \(service.name).", in: wire)
    }
}
