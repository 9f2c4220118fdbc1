import Calls
import Cloud
import ObjectServing
import ObjectStore

extension Storage {
    /// Returns the changes that are applied to the bucket's objects.
    func changes(in bucket: Bucket) -> ObjectChanges { ObjectChanges(in: bucket, by: nil, call.http, events: call.events) }
}
