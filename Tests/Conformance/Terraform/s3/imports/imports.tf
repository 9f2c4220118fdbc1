# Resources of every kind that can be imported; copies of objects cannot.

import {
  to = aws_s3_bucket.access
  id = "terraform-access"
}

import {
  to = aws_s3_bucket.classic_logs
  id = "terraform-classic-logs"
}

import {
  to = aws_s3_bucket.events
  id = "terraform-events"
}

import {
  to = aws_s3_bucket.files
  id = "terraform-files"
}

import {
  to = aws_s3_bucket.grants
  id = "terraform-grants"
}

import {
  to = aws_s3_bucket.inline
  id = "terraform-inline"
}

import {
  to = aws_s3_bucket.inline_site
  id = "terraform-inline-site"
}

import {
  to = aws_s3_bucket.locked
  id = "terraform-locked"
}

import {
  to = aws_s3_bucket.locked_later
  id = "terraform-locked-later"
}

import {
  to = aws_s3_bucket.logs
  id = "terraform-logs"
}

import {
  to = aws_s3_bucket.objects
  id = "terraform-objects"
}

import {
  to = aws_s3_bucket.old_source
  id = "terraform-old-source"
}

import {
  to = aws_s3_bucket.replica
  id = "terraform-replica"
}

import {
  to = aws_s3_bucket.site
  id = "terraform-site"
}

import {
  to = aws_s3_bucket.tagged
  id = "terraform-tagged"
}

import {
  to = aws_s3_bucket_accelerate_configuration.files
  id = "terraform-files"
}

import {
  to = aws_s3_bucket_acl.access
  id = "terraform-access,authenticated-read"
}

import {
  to = aws_s3_bucket_acl.classic_logs
  id = "terraform-classic-logs,log-delivery-write"
}

import {
  to = aws_s3_bucket_acl.grants
  id = "terraform-grants"
}

import {
  to = aws_s3_bucket_analytics_configuration.filtered
  id = "terraform-files:filtered"
}

import {
  to = aws_s3_bucket_analytics_configuration.whole
  id = "terraform-files:whole"
}

import {
  to = aws_s3_bucket_cors_configuration.files
  id = "terraform-files"
}

import {
  to = aws_s3_bucket_intelligent_tiering_configuration.files
  id = "terraform-files:entire"
}

import {
  to = aws_s3_bucket_intelligent_tiering_configuration.filtered
  id = "terraform-files:filtered"
}

import {
  to = aws_s3_bucket_inventory.files
  id = "terraform-files:whole"
}

import {
  to = aws_s3_bucket_inventory.filtered
  id = "terraform-files:documents"
}

import {
  to = aws_s3_bucket_lifecycle_configuration.lifecycle
  id = "terraform-lifecycle"
}

import {
  to = aws_s3_bucket_lifecycle_configuration.old_lifecycle
  id = "terraform-old-lifecycle"
}

import {
  to = aws_s3_bucket_lifecycle_configuration.unfiltered_lifecycle
  id = "terraform-unfiltered-lifecycle"
}

import {
  to = aws_s3_bucket_logging.files
  id = "terraform-files"
}

import {
  to = aws_s3_bucket_logging.grants
  id = "terraform-grants"
}

import {
  to = aws_s3_bucket_metric.filtered
  id = "terraform-files:filtered"
}

import {
  to = aws_s3_bucket_metric.whole
  id = "terraform-files:whole"
}

import {
  to = aws_s3_bucket_notification.events
  id = "terraform-events"
}

import {
  to = aws_s3_bucket_object.deprecated
  id = "terraform-objects/deprecated"
}

import {
  to = aws_s3_bucket_object_lock_configuration.locked
  id = "terraform-locked"
}

import {
  to = aws_s3_bucket_object_lock_configuration.locked_later
  id = "terraform-locked-later"
}

import {
  to = aws_s3_bucket_ownership_controls.access
  id = "terraform-access"
}

import {
  to = aws_s3_bucket_ownership_controls.classic_logs
  id = "terraform-classic-logs"
}

import {
  to = aws_s3_bucket_ownership_controls.grants
  id = "terraform-grants"
}

import {
  to = aws_s3_bucket_ownership_controls.objects
  id = "terraform-objects"
}

import {
  to = aws_s3_bucket_policy.access
  id = "terraform-access"
}

import {
  to = aws_s3_bucket_policy.logs
  id = "terraform-logs"
}

import {
  to = aws_s3_bucket_public_access_block.access
  id = "terraform-access"
}

import {
  to = aws_s3_bucket_replication_configuration.old_source
  id = "terraform-old-source"
}

import {
  to = aws_s3_bucket_replication_configuration.source
  id = "terraform-source"
}

import {
  to = aws_s3_bucket_request_payment_configuration.files
  id = "terraform-files"
}

import {
  to = aws_s3_bucket_server_side_encryption_configuration.files
  id = "terraform-files"
}

import {
  to = aws_s3_bucket_server_side_encryption_configuration.plain
  id = "terraform-plain"
}

import {
  to = aws_s3_bucket_versioning.files
  id = "terraform-files"
}

import {
  to = aws_s3_bucket_versioning.lifecycle
  id = "terraform-lifecycle"
}

import {
  to = aws_s3_bucket_versioning.locked_later
  id = "terraform-locked-later"
}

import {
  to = aws_s3_bucket_versioning.objects
  id = "terraform-objects"
}

import {
  to = aws_s3_bucket_versioning.old_source
  id = "terraform-old-source"
}

import {
  to = aws_s3_bucket_versioning.replica
  id = "terraform-replica"
}

import {
  to = aws_s3_bucket_versioning.source
  id = "terraform-source"
}

import {
  to = aws_s3_bucket_versioning.unversioned
  id = "terraform-unversioned"
}

import {
  to = aws_s3_bucket_website_configuration.json_site
  id = "terraform-json-site"
}

import {
  to = aws_s3_bucket_website_configuration.moved_site
  id = "terraform-moved-site"
}

import {
  to = aws_s3_bucket_website_configuration.site
  id = "terraform-site"
}

import {
  to = aws_s3_object.crc64
  id = "terraform-objects/crc64"
}

import {
  to = aws_s3_object.folder
  id = "terraform-objects/empty-folder/"
}

import {
  to = aws_s3_object.from_file
  id = "terraform-objects/main.tf"
}

import {
  to = aws_s3_object.hashed
  id = "terraform-objects/hashed"
}

import {
  to = aws_s3_object.keyed
  id = "terraform-objects/keyed"
}

import {
  to = aws_s3_object.retained
  id = "terraform-locked/retained"
}

import {
  to = aws_s3_object.text
  id = "terraform-objects/folder/text with ümlaut & more.txt"
}

import {
  to = aws_s3_object.with_list
  id = "terraform-objects/with-list"
}

import {
  provider = aws.frankfurt
  to       = aws_s3_bucket.frankfurt
  id       = "terraform-frankfurt"
}

import {
  to = aws_s3_bucket_versioning.expected
  id = "terraform-expected,000000000000"
}

import {
  to = aws_s3_bucket_cors_configuration.expected
  id = "terraform-expected,000000000000"
}

import {
  to = aws_s3_bucket_acl.expected
  id = "terraform-expected,000000000000,public-read-write"
}
