import Calls
import Cloud
import ObjectServing
import ObjectStore

extension Storage {
    /// Through which calls change the bucket's objects.
    func changes(in bucket: Bucket) -> ObjectChanges { ObjectChanges(in: bucket, by: nil, call.http, events: call.events) }
}
