# Lifecycle rules with every form of a filter.

resource "aws_s3_bucket" "lifecycle" {
  bucket = "terraform-lifecycle"
}

resource "aws_s3_bucket_versioning" "lifecycle" {
  bucket = aws_s3_bucket.lifecycle.id
  versioning_configuration { status = "Enabled" }
}

resource "aws_s3_bucket_lifecycle_configuration" "lifecycle" {
  bucket                                 = aws_s3_bucket_versioning.lifecycle.bucket
  transition_default_minimum_object_size = local.first ? "varies_by_storage_class" : "all_storage_classes_128K"

  rule {
    id     = "everything"
    status = local.first ? "Enabled" : "Disabled"
    filter {}
    abort_incomplete_multipart_upload { days_after_initiation = local.first ? 7 : 3 }
  }
  rule {
    id     = "prefix"
    status = "Enabled"
    filter { prefix = local.first ? "logs/" : "log/" }
    transition {
      days          = 30
      storage_class = "STANDARD_IA"
    }
    transition {
      days          = local.first ? 60 : 90
      storage_class = "GLACIER"
    }
    expiration { days = local.first ? 365 : 400 }
  }
  rule {
    id     = "tag"
    status = "Enabled"
    filter {
      tag {
        key   = "stage"
        value = local.first ? "draft" : "final"
      }
    }
    expiration { days = 1 }
  }
  rule {
    id     = "size"
    status = "Enabled"
    filter { object_size_greater_than = local.first ? 500 : 128000 }
    transition {
      days          = 0
      storage_class = local.first ? "INTELLIGENT_TIERING" : "GLACIER_IR"
    }
  }
  rule {
    id     = "small"
    status = "Enabled"
    filter { object_size_less_than = 64000 }
    noncurrent_version_transition {
      noncurrent_days           = local.first ? 30 : 31
      newer_noncurrent_versions = 2
      storage_class             = "GLACIER"
    }
  }
  rule {
    id     = "all-of-these"
    status = "Enabled"
    filter {
      and {
        prefix                   = "archive/"
        object_size_greater_than = 500
        object_size_less_than    = local.first ? 64000 : 65000
        tags                     = { kind = "report", year = "2020" }
      }
    }
    transition {
      date          = local.first ? "2030-01-01T00:00:00Z" : "2031-01-01T00:00:00Z"
      storage_class = "DEEP_ARCHIVE"
    }
  }
  rule {
    id     = "versions"
    status = "Enabled"
    filter {
      and {
        prefix = "config/"
        tags   = { kind = "config" }
      }
    }
    noncurrent_version_expiration {
      noncurrent_days           = local.first ? 90 : 60
      newer_noncurrent_versions = local.first ? 3 : null
    }
  }
  rule {
    id     = "markers"
    status = "Enabled"
    filter { prefix = "markers/" }
    expiration { expired_object_delete_marker = true }
    noncurrent_version_expiration { noncurrent_days = 10 }
  }
  rule {
    id     = "date"
    status = "Enabled"
    filter { prefix = "date/" }
    expiration { date = local.first ? "2030-01-01T00:00:00Z" : "2032-01-01T00:00:00Z" }
  }
}

# Rules with a prefix in place of a filter, as before 2016, and one without either.
resource "aws_s3_bucket" "old_lifecycle" {
  bucket = "terraform-old-lifecycle"
}

resource "aws_s3_bucket_lifecycle_configuration" "old_lifecycle" {
  bucket = aws_s3_bucket.old_lifecycle.id
  rule {
    id     = "prefix"
    prefix = local.first ? "tmp/" : "temporary/"
    status = "Enabled"
    expiration { days = 1 }
  }
}

resource "aws_s3_bucket" "unfiltered_lifecycle" {
  bucket = "terraform-unfiltered-lifecycle"
}

resource "aws_s3_bucket_lifecycle_configuration" "unfiltered_lifecycle" {
  bucket = aws_s3_bucket.unfiltered_lifecycle.id
  rule {
    id     = "nothing"
    status = "Enabled"
    transition {
      days          = local.first ? 30 : 40
      storage_class = "ONEZONE_IA"
    }
  }
}
