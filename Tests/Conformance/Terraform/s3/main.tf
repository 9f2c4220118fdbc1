# Every resource of the provider for general-purpose buckets. With step = 2 every argument that can change in place does.

terraform {
  required_providers {
    aws = {
      source  = "hashicorp/aws"
      version = "5.100.0"
    }
  }
}

variable "step" {
  type    = number
  default = 1
}

locals {
  first = var.step == 1
}

# The endpoint and the keys come from the environment.
provider "aws" {
  region            = "us-east-1"
  s3_use_path_style = true
}

data "aws_caller_identity" "me" {}
data "aws_canonical_user_id" "me" {}

# A bucket with only a name.
resource "aws_s3_bucket" "plain" {
  bucket = "terraform-plain"
}

resource "aws_s3_bucket" "named_by_prefix" {
  bucket_prefix = "terraform-prefix-"
}

# Arguments of the bucket itself.
resource "aws_s3_bucket" "tagged" {
  bucket        = "terraform-tagged"
  force_destroy = local.first
  tags          = local.first ? { Team = "files", Stage = "test" } : { Team = "files and folders", Owner = "alice" }
}

# Old configurations, with everything in the bucket resource.
resource "aws_s3_bucket" "inline" {
  bucket              = "terraform-inline"
  acceleration_status = local.first ? "Enabled" : "Suspended"
  request_payer       = local.first ? "Requester" : "BucketOwner"
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = local.first ? "Encrypted" : "EncryptedTransport"
      Effect    = "Deny"
      Principal = "*"
      Action    = "s3:*"
      Resource  = ["arn:aws:s3:::terraform-inline", "arn:aws:s3:::terraform-inline/*"]
      Condition = { StringEquals = { "aws:SourceVpc" = local.first ? "vpc-1" : "vpc-2" } }
    }]
  })
  versioning { enabled = true }
  cors_rule {
    allowed_methods = ["GET", "PUT"]
    allowed_origins = local.first ? ["https://app.example.com"] : ["https://app.example.com", "https://www.example.com"]
    allowed_headers = ["*"]
    expose_headers  = ["ETag"]
    max_age_seconds = local.first ? 300 : 600
  }
  lifecycle_rule {
    id      = "logs"
    prefix  = "logs/"
    enabled = local.first
    tags    = { kind = "log" }
    transition {
      days          = 30
      storage_class = "STANDARD_IA"
    }
    expiration { days = local.first ? 90 : 120 }
    noncurrent_version_expiration { days = 30 }
  }
  lifecycle_rule {
    id                                     = "uploads"
    enabled                                = true
    abort_incomplete_multipart_upload_days = local.first ? 7 : 8
  }
  logging {
    target_bucket = aws_s3_bucket.logs.id
    target_prefix = local.first ? "inline/" : "inline-2/"
  }
  server_side_encryption_configuration {
    rule {
      bucket_key_enabled = false
      apply_server_side_encryption_by_default { sse_algorithm = "AES256" }
    }
  }
  object_lock_configuration {
    object_lock_enabled = "Enabled"
    rule {
      default_retention {
        mode = "GOVERNANCE"
        days = local.first ? 1 : 2
      }
    }
  }
}

resource "aws_s3_bucket" "inline_site" {
  bucket = "terraform-inline-site"
  website {
    index_document = local.first ? "index.html" : "home.html"
    error_document = "error.html"
    routing_rules = jsonencode([{
      Condition = { KeyPrefixEquals = "docs/" }
      Redirect  = { ReplaceKeyPrefixWith = local.first ? "documents/" : "papers/" }
    }])
  }
}

# The target of the other buckets' logs, inventories and analyses.
resource "aws_s3_bucket" "logs" {
  bucket        = "terraform-logs"
  force_destroy = true
}

resource "aws_s3_bucket_policy" "logs" {
  bucket = aws_s3_bucket.logs.id
  policy = data.aws_iam_policy_document.logs.json
}

data "aws_iam_policy_document" "logs" {
  statement {
    principals {
      type        = "Service"
      identifiers = ["logging.s3.amazonaws.com"]
    }
    actions   = ["s3:PutObject"]
    resources = ["${aws_s3_bucket.logs.arn}/*"]
    condition {
      test     = "StringEquals"
      variable = "aws:SourceAccount"
      values   = [data.aws_caller_identity.me.account_id]
    }
  }
}
