import Cloud
import ObjectServing

extension ContinuationToken {
    /// Returns the key in a continuation token.
    /// - Throws: `InvalidArgument` for an invalid token.
    static func key(checking token: String) throws(S3Error) -> String {
        guard let key = key(of: token) else {
            throw S3Error(
                .invalidArgument, "The continuation token provided is incorrect", ["ArgumentName": "continuation-token"])
        }
        return key
    }
}
