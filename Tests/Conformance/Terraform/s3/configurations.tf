# A resource for each sub-resource of a bucket.

resource "aws_s3_bucket" "files" {
  bucket = "terraform-files"
}

resource "aws_s3_bucket_versioning" "files" {
  bucket = aws_s3_bucket.files.id
  versioning_configuration {
    status = local.first ? "Enabled" : "Suspended"
  }
}

resource "aws_s3_bucket" "unversioned" {
  bucket = "terraform-unversioned"
}

resource "aws_s3_bucket_versioning" "unversioned" {
  bucket = aws_s3_bucket.unversioned.id
  versioning_configuration {
    status = local.first ? "Disabled" : "Enabled"
  }
}

resource "aws_s3_bucket_cors_configuration" "files" {
  bucket = aws_s3_bucket.files.id
  cors_rule {
    id              = "app"
    allowed_headers = ["*"]
    allowed_methods = ["PUT", "POST"]
    allowed_origins = ["https://app.example.com"]
    expose_headers  = ["ETag", "x-amz-version-id"]
    max_age_seconds = local.first ? 3000 : 60
  }
  cors_rule {
    allowed_methods = local.first ? ["GET"] : ["GET", "HEAD"]
    allowed_origins = ["*"]
  }
}

resource "aws_s3_bucket_logging" "files" {
  bucket        = aws_s3_bucket.files.id
  target_bucket = aws_s3_bucket.logs.id
  target_prefix = local.first ? "files/" : "files-2/"
  target_object_key_format {
    dynamic "simple_prefix" {
      for_each = local.first ? [1] : []
      content {}
    }
    dynamic "partitioned_prefix" {
      for_each = local.first ? [] : [1]
      content { partition_date_source = "EventTime" }
    }
  }
}

# Access logs whose objects grant access to others.
resource "aws_s3_bucket_logging" "grants" {
  bucket        = aws_s3_bucket.grants.id
  target_bucket = aws_s3_bucket.classic_logs.id
  target_prefix = "grants/"
  target_grant {
    permission = local.first ? "READ" : "FULL_CONTROL"
    grantee {
      type = "Group"
      uri  = "http://acs.amazonaws.com/groups/global/AuthenticatedUsers"
    }
  }
  target_grant {
    permission = "READ"
    grantee {
      type = "CanonicalUser"
      id   = data.aws_canonical_user_id.me.id
    }
  }
}

resource "aws_s3_bucket" "classic_logs" {
  bucket        = "terraform-classic-logs"
  force_destroy = true
}

resource "aws_s3_bucket_ownership_controls" "classic_logs" {
  bucket = aws_s3_bucket.classic_logs.id
  rule { object_ownership = "ObjectWriter" }
}

resource "aws_s3_bucket_acl" "classic_logs" {
  depends_on = [aws_s3_bucket_ownership_controls.classic_logs]
  bucket     = aws_s3_bucket.classic_logs.id
  acl        = "log-delivery-write"
}

resource "aws_s3_bucket_request_payment_configuration" "files" {
  bucket = aws_s3_bucket.files.id
  payer  = local.first ? "Requester" : "BucketOwner"
}

resource "aws_s3_bucket_accelerate_configuration" "files" {
  bucket = aws_s3_bucket.files.id
  status = local.first ? "Enabled" : "Suspended"
}

resource "aws_s3_bucket_server_side_encryption_configuration" "files" {
  bucket = aws_s3_bucket.files.id
  rule {
    bucket_key_enabled = !local.first
    apply_server_side_encryption_by_default {
      sse_algorithm     = local.first ? "AES256" : "aws:kms"
      kms_master_key_id = local.first ? null : "arn:aws:kms:us-east-1:${data.aws_caller_identity.me.account_id}:key/5b9c5a2e-6f2b-4c11-9a53-0f3d1d4f7a10"
    }
  }
}

resource "aws_s3_bucket_server_side_encryption_configuration" "plain" {
  bucket = aws_s3_bucket.plain.id
  rule {
    bucket_key_enabled = true
    apply_server_side_encryption_by_default {
      sse_algorithm = local.first ? "aws:kms" : "aws:kms:dsse"
    }
  }
}

resource "aws_s3_bucket" "locked" {
  bucket              = "terraform-locked"
  object_lock_enabled = true
  force_destroy       = true
}

resource "aws_s3_bucket_object_lock_configuration" "locked" {
  bucket = aws_s3_bucket.locked.id
  rule {
    default_retention {
      mode  = local.first ? "COMPLIANCE" : "GOVERNANCE"
      days  = local.first ? 5 : null
      years = local.first ? null : 1
    }
  }
}

# Object Lock enabled after the creation, which AWS allows since November 2023.
resource "aws_s3_bucket" "locked_later" {
  bucket        = "terraform-locked-later"
  force_destroy = true
}

resource "aws_s3_bucket_versioning" "locked_later" {
  bucket = aws_s3_bucket.locked_later.id
  versioning_configuration { status = "Enabled" }
}

resource "aws_s3_bucket_object_lock_configuration" "locked_later" {
  bucket = aws_s3_bucket_versioning.locked_later.bucket
  dynamic "rule" {
    for_each = local.first ? [] : [1]
    content {
      default_retention {
        mode = "GOVERNANCE"
        days = 1
      }
    }
  }
}

resource "aws_s3_bucket" "site" {
  bucket = "terraform-site"
}

resource "aws_s3_bucket_website_configuration" "site" {
  bucket = aws_s3_bucket.site.id
  index_document { suffix = local.first ? "index.html" : "home.html" }
  error_document { key = "error.html" }
  routing_rule {
    condition { key_prefix_equals = "docs/" }
    redirect { replace_key_prefix_with = "documents/" }
  }
  routing_rule {
    condition { http_error_code_returned_equals = "404" }
    redirect {
      host_name          = local.first ? "www.example.com" : "web.example.com"
      http_redirect_code = "302"
      protocol           = "https"
      replace_key_with   = "missing.html"
    }
  }
}

resource "aws_s3_bucket" "moved_site" {
  bucket = "terraform-moved-site"
}

resource "aws_s3_bucket_website_configuration" "moved_site" {
  bucket = aws_s3_bucket.moved_site.id
  redirect_all_requests_to {
    host_name = "example.com"
    protocol  = local.first ? "https" : "http"
  }
}

resource "aws_s3_bucket" "json_site" {
  bucket = "terraform-json-site"
}

resource "aws_s3_bucket_website_configuration" "json_site" {
  bucket = aws_s3_bucket.json_site.id
  index_document { suffix = "index.html" }
  routing_rules = jsonencode([{
    Condition = { KeyPrefixEquals = "images/" }
    Redirect  = local.first ? { ReplaceKeyWith = "gone.html" } : { ReplaceKeyPrefixWith = "pictures/" }
  }])
}

resource "aws_s3_bucket_intelligent_tiering_configuration" "files" {
  bucket = aws_s3_bucket.files.id
  name   = "entire"
  status = local.first ? "Enabled" : "Disabled"
  tiering {
    access_tier = "DEEP_ARCHIVE_ACCESS"
    days        = local.first ? 180 : 365
  }
  tiering {
    access_tier = "ARCHIVE_ACCESS"
    days        = 125
  }
}

resource "aws_s3_bucket_intelligent_tiering_configuration" "filtered" {
  bucket = aws_s3_bucket.files.id
  name   = "filtered"
  filter {
    prefix = local.first ? "documents/" : "papers/"
    tags   = local.first ? { priority = "high" } : { priority = "high", class = "blue" }
  }
  tiering {
    access_tier = "ARCHIVE_ACCESS"
    days        = 90
  }
}

resource "aws_s3_bucket_inventory" "files" {
  bucket                   = aws_s3_bucket.files.id
  name                     = "whole"
  included_object_versions = local.first ? "All" : "Current"
  enabled                  = local.first
  optional_fields          = local.first ? ["Size", "ETag"] : ["Size", "StorageClass", "EncryptionStatus"]
  schedule { frequency = local.first ? "Daily" : "Weekly" }
  destination {
    bucket {
      format     = local.first ? "CSV" : "Parquet"
      bucket_arn = aws_s3_bucket.logs.arn
      account_id = data.aws_caller_identity.me.account_id
      prefix     = "inventory"
      encryption {
        sse_s3 {}
      }
    }
  }
}

resource "aws_s3_bucket_inventory" "filtered" {
  bucket                   = aws_s3_bucket.files.id
  name                     = "documents"
  included_object_versions = "All"
  schedule { frequency = "Daily" }
  filter { prefix = local.first ? "documents/" : "papers/" }
  destination {
    bucket {
      format     = "ORC"
      bucket_arn = aws_s3_bucket.logs.arn
      encryption {
        sse_kms { key_id = "arn:aws:kms:us-east-1:${data.aws_caller_identity.me.account_id}:key/5b9c5a2e-6f2b-4c11-9a53-0f3d1d4f7a10" }
      }
    }
  }
}

resource "aws_s3_bucket_metric" "whole" {
  bucket = aws_s3_bucket.files.id
  name   = "whole"
}

resource "aws_s3_bucket_metric" "filtered" {
  bucket = aws_s3_bucket.files.id
  name   = "filtered"
  filter {
    prefix = local.first ? "documents/" : null
    tags   = local.first ? { priority = "high", class = "blue" } : { priority = "high" }
  }
}

resource "aws_s3_bucket_analytics_configuration" "whole" {
  bucket = aws_s3_bucket.files.id
  name   = "whole"
  storage_class_analysis {
    data_export {
      destination {
        s3_bucket_destination {
          bucket_arn = aws_s3_bucket.logs.arn
          prefix     = local.first ? "analytics" : "analyses"
        }
      }
    }
  }
}

resource "aws_s3_bucket_analytics_configuration" "filtered" {
  bucket = aws_s3_bucket.files.id
  name   = "filtered"
  filter {
    prefix = "documents/"
    tags   = local.first ? { priority = "high" } : { class = "blue" }
  }
}
