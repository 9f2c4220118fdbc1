# Terraform's own state in a bucket, with a lock, through a role.

terraform {
  backend "s3" {
    bucket         = "terraform-state"
    key            = "stack/terraform.tfstate"
    use_path_style = true
    use_lockfile   = true
    encrypt        = true

    assume_role = {
      role_arn     = "arn:aws:iam::000000000000:role/keeper"
      session_name = "terraform"
      tags         = { Team = "deck" }
    }
  }
}

variable "step" {
  type    = number
  default = 1
}

resource "terraform_data" "kept" {
  input = "step ${var.step}"
}
