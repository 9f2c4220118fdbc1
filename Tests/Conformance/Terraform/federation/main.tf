# An issuer whose users each get a folder of a bucket. In the second step one of them, with an ID token, stores an object there.

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

variable "web_identity_token" {
  type      = string
  sensitive = true
}

locals {
  issuer = "login.company.example"
  person = "alice-4711"
}

provider "aws" {
  s3_use_path_style = true
}

resource "aws_iam_openid_connect_provider" "company" {
  url            = "https://${local.issuer}"
  client_id_list = ["file-store"]
}

data "aws_iam_policy_document" "trust" {
  statement {
    actions = ["sts:AssumeRoleWithWebIdentity"]
    principals {
      type        = "Federated"
      identifiers = [aws_iam_openid_connect_provider.company.arn]
    }
    condition {
      test     = "StringEquals"
      variable = "${local.issuer}:aud"
      values   = ["file-store"]
    }
  }
}

resource "aws_s3_bucket" "files" {
  bucket = "company-personal-files"
}

data "aws_iam_policy_document" "own_folder" {
  statement {
    actions   = ["s3:GetObject*", "s3:PutObject*", "s3:DeleteObject*"]
    resources = ["${aws_s3_bucket.files.arn}/&{${local.issuer}:sub}/*"]
  }
  statement {
    actions   = ["s3:ListBucket*"]
    resources = [aws_s3_bucket.files.arn]
    condition {
      test     = "StringLike"
      variable = "s3:prefix"
      values   = ["&{${local.issuer}:sub}/*"]
    }
  }
}

resource "aws_iam_role" "sailor" {
  name               = "sailor"
  assume_role_policy = data.aws_iam_policy_document.trust.json
}

resource "aws_iam_role_policy" "own_folder" {
  name   = "own-folder"
  role   = aws_iam_role.sailor.id
  policy = data.aws_iam_policy_document.own_folder.json
}

# Assumes the role after it was created.
provider "aws" {
  alias             = "person"
  s3_use_path_style = true

  dynamic "assume_role_with_web_identity" {
    for_each = var.step == 2 ? [1] : []
    content {
      role_arn           = "arn:aws:iam::000000000000:role/sailor"
      session_name       = "terraform"
      duration           = "30m"
      web_identity_token = var.web_identity_token
    }
  }
}

data "aws_caller_identity" "person" {
  provider = aws.person

  lifecycle {
    postcondition {
      condition     = var.step == 1 || self.arn == "arn:aws:sts::000000000000:assumed-role/sailor/terraform"
      error_message = "The caller is ${self.arn}."
    }
    postcondition {
      condition     = var.step == 1 || endswith(self.user_id, ":terraform")
      error_message = "The caller is ${self.user_id}."
    }
  }
}

resource "aws_s3_object" "own" {
  count    = var.step == 2 ? 1 : 0
  provider = aws.person
  bucket   = aws_s3_bucket.files.id
  key      = "${local.person}/notes.txt"
  content  = "Remember the milk."

  depends_on = [aws_iam_role_policy.own_folder]
}
