package import RequestSigning
package import WireFormats

/// A request whose signature is valid.
package final class Authenticated: Sendable {
    /// The kind of signature.
    package enum Signature: Sendable {
        /// With what it says of the body, and the key that verified it; chunk signatures continue with that.
        case v4(SignatureV4.Presented, PayloadHash, ScopedSigningKey)
        case v2(SignatureV2.Presented)
        case oss(OSSSignature.Presented)
        /// A call to an RPC API of Alibaba Cloud, with a signature in the parameters.
        case rpc(RPCSignature.Presented)
        case acs3(ACS3Signature.Presented)
        /// A form whose policy is signed instead of the request.
        case form(FormSignature)
    }

    /// The caller that signed the request.
    package let caller: Caller
    /// The signature and its contents.
    package let signature: Signature

    init(caller: Caller, signature: Signature) {
        self.caller = caller
        self.signature = signature
    }

    /// The identifier of the access key that signed.
    package var accessKey: String {
        switch signature {
        case .v4(let presented, _, _): presented.accessKey
        case .v2(let presented): presented.accessKey
        case .oss(let presented): presented.accessKey
        case .rpc(let presented): presented.accessKey
        case .acs3(let presented): presented.accessKey
        case .form(let form): form.accessKey
        }
    }

    /// The signed hash of the body; `nil` if the signature does not cover the body.
    package var payload: PayloadHash? {
        if case .v4(_, let payload, _) = signature { payload } else { nil }
    }

    /// The region that the request is signed for; `nil` for signatures without a region.
    package var region: String? {
        switch signature {
        case .v4(let presented, _, _): presented.scope.region
        case .form(let form):
            if case .v4(let scope, _) = form.version { scope.region } else { nil }
        case .oss(let presented):
            if case .v4(let scope) = presented.version { scope.region } else { nil }
        case .v2, .rpc, .acs3: nil
        }
    }

    /// The time of signing; `nil` for older versions outside headers, which do not contain it.
    package var signed: Timestamp? {
        switch signature {
        case .v4(let presented, _, _): return presented.timestamp
        case .v2(let presented):
            if case .signed(let time, _) = presented.validity { return time }
            return nil
        case .oss(let presented):
            switch presented.validity {
            case .signed(let time, _), .lasting(_, from: let time): return time
            case .until: return nil
            }
        case .rpc(let presented): return presented.timestamp
        case .acs3(let presented): return presented.timestamp
        case .form(let form):
            if case .v4(_, let time) = form.version { return time }
            return nil
        }
    }

    /// The signature version, as condition keys name it.
    package var version: SignatureVersion {
        switch signature {
        case .v4: .v4
        case .v2: .v2
        case .oss(let presented):
            switch presented.version {
            case .v1: .ossV1
            case .v2: .ossV2
            case .v4: .ossV4
            }
        case .rpc: .rpc
        case .acs3: .acs3
        case .form(let form):
            switch form.version {
            case .plain(.aws): .v2
            case .plain(.alibabaCloud): .ossV1
            case .v4(let scope, _): scope.scheme == .aws ? .v4 : .ossV4
            }
        }
    }

    /// The place of the signature, as condition keys name it.
    package var place: SignaturePlace {
        switch signature {
        case .v4(let presented, _, _): presented.place == .header ? .header : .query
        case .v2(let presented): presented.isPresigned ? .query : .header
        case .oss(let presented): presented.isPresigned ? .query : .header
        case .rpc: .query
        case .acs3: .header
        case .form: .form
        }
    }
}

/// The signature versions. AWS's have the spelling of the condition key `s3:signatureversion`, Alibaba Cloud's the names of their
/// algorithms.
package enum SignatureVersion: String, Sendable {
    case v2 = "AWS"
    case v4 = "AWS4-HMAC-SHA256"
    case ossV1 = "OSS"
    case ossV2 = "OSS2"
    case ossV4 = "OSS4-HMAC-SHA256"
    case rpc = "HMAC-SHA1"
    case acs3 = "ACS3-HMAC-SHA256"
}

/// The place of a signature, as the condition key `s3:authType` spells it.
package enum SignaturePlace: String, Sendable {
    case header = "REST-HEADER"
    case query = "REST-QUERY-STRING"
    case form = "POST"
}
