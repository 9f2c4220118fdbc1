import Calls
import Cloud
import ControlDocuments
import Directory
import HTTPTypes
import WireFormats

extension ControlFace {
    /// `GET /_virga/faults/catalogue`: returns the error codes that each service knows, with its status and message.
    func listFaultCodes(_ call: Call) -> Response {
        typealias Codes = [String: FaultCatalogue.Entry]
        let query = FaultCatalogue.entries(of: .query)
        let rpc = FaultCatalogue.entries(of: .rpc)
        var services: [(name: String, codes: Codes)] = [
            ("s3", FaultCatalogue.entries(of: .s3)), ("sts", query), ("iam", query), ("oss", FaultCatalogue.entries(of: .oss)),
            ("alibaba-sts", rpc), ("ram", rpc), ("ims", rpc), ("mobile", query), ("tvm", query), ("appserver", rpc),
        ]
        services += CredentialSources.services.map { (name: $0, codes: query) }
        for provider in call.cloud.directory.providers.values.sorted(by: { $0.name < $1.name }) {
            services.append((provider.name, FaultCatalogue.entries(ofProviders: provider.kind)))
        }
        let known = services.map { service -> Document<FaultServiceMembers> in
            let codes = service.codes.sorted { $0.key < $1.key }.map { code, entry in
                Document<FaultCodeMembers> { [$0.code(code), $0.status(entry.status.code), $0.message(entry.message)] }
            }
            return Document { [$0.name(service.name), $0.codes(codes)] }
        }
        let drops = FaultRule.Drop.allCases.map(\.rawValue)
        return .json(Document<FaultCatalogueMembers> { [$0.services(known), $0.connection(drops)] }.json)
    }
}
