import AWSIdentityFaces
import Calls
import Federation
import OSSFace
import S3Face
import WireFormats

/// Finds the service of a presigned request as the front door does, and returns the checks of that service.
struct PresignedVerification: Sendable {
    let s3: S3Face
    let oss: OSSFace
    let sts: STSFace

    /// Returns the checks; `nil` for a request that is not signed, or whose service has no presigned requests.
    func verification(of call: Call) -> RequestVerification? {
        let route = Route(RoutingFacts(call, upstreams: nil))
        return switch route.endpoint {
        case .s3: s3.verification(of: call, bucketFromHost: route.name)
        case .oss: oss.verification(of: call, bucketFromHost: route.name)
        case .sts: sts.verification(of: call)
        default: nil
        }
    }
}
