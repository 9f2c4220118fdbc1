import Calls
import HTTPTypes

extension ReadConditions.Names {
    static let copySource = ReadConditions.Names(
        ifMatch: .copySourceIfMatch, ifNoneMatch: .copySourceIfNoneMatch, ifModifiedSince: .copySourceIfModifiedSince,
        ifUnmodifiedSince: .copySourceIfUnmodifiedSince, prefix: "x-amz-copy-source-")
}
