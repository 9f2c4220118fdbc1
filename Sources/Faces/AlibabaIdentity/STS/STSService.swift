import WireFormats

extension RPCService {
    /// The Security Token Service. (STS API Reference, version 2015-04-01.)
    static let sts = RPCService(
        name: "alibaba-sts", product: "Sts",
        operations: [
            "AssumeRole": RPCOperation(perform: assumeRole),
            // Clients with a token or an assertion have no access key with which to sign.
            "AssumeRoleWithOIDC": RPCOperation(isSigned: false, perform: assumeRoleWithOIDC),
            "AssumeRoleWithSAML": RPCOperation(isSigned: false, perform: assumeRoleWithSAML),
            "GetCallerIdentity": RPCOperation(perform: getCallerIdentity),
        ],
        identify: { call in
            if call.action == "AssumeRoleWithSAML" { return try? await call.samlIdentity().name }
            return try? await call.oidcIdentity().name
        })
}
