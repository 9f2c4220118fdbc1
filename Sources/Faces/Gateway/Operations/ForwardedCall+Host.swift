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
        guard isName else { throw wrongRegion(region) }
        guard let host = ServiceHost(http.host) else { return try checkOwnHost() }
        let labels = host.labels.map { String($0) }
        let isOfService = labels.contains { (label: String) -> Bool in
            names.contains { (name: String) -> Bool in label == name || label.hasPrefix("\(name)-") || label.hasSuffix("-\(name)") }
        }
        let table = ServiceTable.builtIn
        let isOfAnother = labels.contains { label in
            (table.service(signing: label) ?? table.service(prefix: label)).map { $0.name != service.name } ?? (label == "s3")
        }
        guard isOfService, !isOfAnother else { throw .unknown("The host \(http.host) is not one of \(service.name).", in: wire) }
        guard labels.count == 1 || labels.contains(region) else { throw wrongRegion(region) }
    }

    private func wrongRegion(_ region: String) -> Refusal {
        .unauthenticated(AuthenticationRefusal(.wrongRegion(presented: region, expected: "")), of: service.name, in: wire)
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
